// What a caller may ask of a public ID, and the refusal of what contradicts itself.
import { InvalidArgumentError } from '../errors.js';
import { checkOptions } from '../options.js';
import { checkSecret, type Secret } from './secret.js';

/** `none`: the bits as they are. `mix`: order hidden, nothing secret. `xtea`: encrypted under a secret. */
export type ExternalIdAlgorithm = 'none' | 'mix' | 'xtea';

export interface ExternalIdOptions {
  /** The key, as bytes or as a string that counts as its UTF-8. Whoever has it can read every public ID. */
  readonly secret?: string | Uint8Array;
  /** `xtea` when there is a secret and `mix` when there is none, unless said otherwise. */
  readonly algorithm?: ExternalIdAlgorithm;
}

/** Options that agree with themselves. */
export type Choice =
  | { readonly algorithm: 'none' }
  | { readonly algorithm: 'mix' }
  | { readonly algorithm: 'xtea'; readonly secret: Secret };

const KEYLESS: Choice = { algorithm: 'mix' };

const OPTION_NAMES = { secret: true, algorithm: true } satisfies Record<keyof ExternalIdOptions, true>;

export function choose(options: ExternalIdOptions | undefined): Choice {
  if (options === undefined) return KEYLESS;
  checkOptions('external IDs', options, OPTION_NAMES);
  // A secret that is there but undefined is an unset variable more often than a wish: quietly making IDs
  // without a key would be the worst answer, so only leaving the option out, or naming an algorithm, does that.
  const { secret, algorithm = 'secret' in options ? 'xtea' : 'mix' } = options;
  if (algorithm !== 'none' && algorithm !== 'mix' && algorithm !== 'xtea') {
    throw new InvalidArgumentError('algorithm', "'none', 'mix' or 'xtea'", algorithm);
  }
  if (algorithm !== 'xtea') {
    if (secret === undefined) return { algorithm };
    throw new InvalidArgumentError('algorithm', "'xtea' when there is a secret", algorithm);
  }
  checkSecret(secret);
  return { algorithm, secret };
}
