// Options: one of an unknown name or of a wrong type is a mistake, and is refused with what is allowed. A smaller twin of
// `../options.ts`, which also finds the name that was probably meant, for more bytes than this room may weigh.
import { InvalidArgumentError } from '../errors.js';

/** The `typeof` of each option; none where the caller checks more than that. */
type Types<Options> = Readonly<Record<keyof Options & string, 'function' | 'boolean' | ''>>;

/** Refuses options that are no object, or have a name or a type that is not in `types`; undefined stands for left out. */
export function checkOptions<Options extends object>(options: Options, types: Types<Options>): void {
  if (typeof options !== 'object' || !options)
    throw new InvalidArgumentError('options', 'an object', options);
  for (const [name, value] of Object.entries(options)) {
    const names = Object.keys(types);
    if (!names.includes(name))
      throw new InvalidArgumentError('an option', `one of ${names.join(', ')}`, name);
    const type = types[name as keyof Options & string];
    if (type && value !== undefined && typeof value !== type) {
      throw new InvalidArgumentError(name, `a ${type}`, value);
    }
  }
}
