// Options by name: one that no code reads is a mistake, and is refused with the name that was probably meant.
import { InvalidArgumentError } from './errors.js';

/** The known names, as keys: `satisfies Record<keyof Options, true>` lets the compiler hold them to their type. */
export type OptionNames = Readonly<Record<string, unknown>>;

/** How many letters must be typed, left out or exchanged to make one text of the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const [above = 0, diagonal = 0, left = 0] = [row[j + 1], row[j], next[j]];
      next.push(Math.min(above + 1, left + 1, diagonal + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known name that was probably meant: one with a few other letters, or one that begins alike. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const wanted = given.slice(0, 100).toLowerCase();
  const near = names.flatMap((name) => {
    const known = name.toLowerCase();
    const distance = editDistance(wanted, known);
    const isBeginning = wanted.length > 2 && (known.startsWith(wanted) || wanted.startsWith(known));
    return isBeginning || distance <= Math.ceil(known.length / 3) ? [{ name, distance }] : [];
  });
  return near.sort((a, b) => a.distance - b.distance)[0]?.name;
}

/** What is allowed, for a message: every known name, and what was probably meant. */
export function oneOf(names: readonly string[], given: unknown, cure?: string): string {
  const closest = typeof given === 'string' ? closestName(given, names) : undefined;
  const hint = cure ?? (closest && `did you mean ${closest}?`);
  return `one of ${names.join(', ')}${hint ? ` (${hint})` : ''}`;
}

/** The value, if it is an object and not an array. */
export function checkObject(what: string, value: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(value)) throw new InvalidArgumentError(what, 'an object', 'an array');
  // A text in the place of options may be a secret: it must not reach a message.
  if (typeof value === 'string') throw new InvalidArgumentError(what, 'an object', 'a string');
  if (typeof value !== 'object' || value === null) throw new InvalidArgumentError(what, 'an object', value);
  return value as Readonly<Record<string, unknown>>;
}

/** The options of `what`, if it knows all of their names; `cure` says more about a name that belongs elsewhere. */
export function checkOptions<Options extends object>(
  what: string,
  options: Options,
  names: OptionNames,
  cure: (name: string) => string | undefined = () => undefined,
): Options {
  for (const name of Object.keys(checkObject(`the options of ${what}`, options))) {
    if (Object.hasOwn(names, name)) continue;
    throw new InvalidArgumentError(`an option of ${what}`, oneOf(Object.keys(names), name, cure(name)), name);
  }
  return options;
}
