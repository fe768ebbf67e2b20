// What a caller may ask of an external ID, and the refusal of what contradicts itself.
import { InvalidArgumentError } from '../errors.js';
import { checkObject, checkOptions } from '../options.js';
import { checkSecret, type Secret } from './secret.js';

/** `none`: the bits as they are. `mix`: order hidden, nothing secret. `xtea`: encrypted under a secret. */
export type ExternalIdAlgorithm = 'none' | 'mix' | 'xtea';

export interface ExternalIdOptions {
  /** The key, as bytes or as a string that counts as its UTF-8. Its holder can read every external ID. */
  readonly secret?: string | Uint8Array;
  /** `xtea` when there is a secret and `mix` when there is none, unless said otherwise. */
  readonly algorithm?: ExternalIdAlgorithm;
  /** The kind of thing that the ID names: `user` gives `user_` and 11 characters, under a key of its own. */
  readonly prefix?: string;
  /** Keys that can be rotated, each under a label of one letter or digit that stands before the 11 characters. */
  readonly secrets?: Readonly<Record<string, string | Uint8Array>>;
  /** The label of the key for new texts. Without it they have no label, and `secret` or `algorithm` says how they come about. */
  readonly current?: string;
}

/** How the 11 characters come about; options that agree with themselves. */
export type Cipher =
  | { readonly algorithm: 'none' }
  | { readonly algorithm: 'mix' }
  | { readonly algorithm: 'xtea'; readonly secret: Secret };

/** The key in `Frame.ciphers` for texts without a label. */
export const NO_LABEL = '';

/** What stands around the 11 characters, and which cipher is behind which label. */
export interface Frame {
  readonly prefix: string | undefined;
  readonly ciphers: ReadonlyMap<string, Cipher>;
  readonly current: { readonly label: string; readonly cipher: Cipher };
}

/** A bare cipher for plain texts of 11 characters, or a frame. */
export type Choice =
  | { readonly cipher: Cipher; readonly frame?: never }
  | { readonly frame: Frame; readonly cipher?: never };

const KEYLESS: Choice = { cipher: { algorithm: 'mix' } };

const OPTION_NAMES = {
  secret: true,
  algorithm: true,
  prefix: true,
  secrets: true,
  current: true,
} satisfies Record<keyof ExternalIdOptions, true>;

const PREFIX = /^[a-z](?:[a-z0-9_]{0,30}[a-z0-9])?$/;
const LABEL = /^[A-Za-z0-9]$/;

export function choose(options: ExternalIdOptions | undefined): Choice {
  if (options === undefined) return KEYLESS;
  checkOptions('external IDs', options, OPTION_NAMES);
  const { prefix, current } = options;
  const hasLabels = 'secrets' in options || current !== undefined;
  const unlabelled = chooseCipher(options, hasLabels);
  if (unlabelled !== undefined && !hasLabels && prefix === undefined) return { cipher: unlabelled };
  if (prefix !== undefined) checkPrefix(prefix);
  const ciphers = new Map<string, Cipher>(hasLabels ? checkSecrets(options.secrets) : []);
  const labels = [...ciphers.keys()];
  if (unlabelled !== undefined) ciphers.set(NO_LABEL, unlabelled);
  const label = current ?? NO_LABEL;
  const cipher = ciphers.get(label);
  if (cipher === undefined || current === NO_LABEL) {
    // A text of more than one character may be a secret in the wrong place.
    const given = typeof current === 'string' && current.length > 1 ? 'a longer text' : current;
    throw new InvalidArgumentError('current', `one of ${labels.join(', ')}`, given);
  }
  return { frame: { prefix, ciphers, current: { label, cipher } } };
}

/** The cipher of texts without a label; undefined where `secrets` stand alone. */
function chooseCipher(options: ExternalIdOptions, hasLabels: boolean): Cipher | undefined {
  // A secret that is there but undefined is an unset variable more often than a wish: quietly making IDs
  // without a key would be the worst result, so only leaving the option out, or naming an algorithm, does that.
  const hasSecret = 'secret' in options;
  const { secret, algorithm = hasSecret || hasLabels ? 'xtea' : 'mix' } = options;
  if (algorithm !== 'none' && algorithm !== 'mix' && algorithm !== 'xtea') {
    throw new InvalidArgumentError('algorithm', "'none', 'mix' or 'xtea'", algorithm);
  }
  if (algorithm !== 'xtea') {
    if (secret === undefined) return { algorithm };
    throw new InvalidArgumentError('algorithm', "'xtea' when there is a secret", algorithm);
  }
  if (hasLabels && !hasSecret) return undefined;
  checkSecret('secret', secret);
  return { algorithm, secret };
}

function checkPrefix(prefix: unknown): void {
  if (typeof prefix === 'string' && PREFIX.test(prefix)) return;
  const allowed = '1 to 32 characters of a–z, 0–9 and _, the first a letter, the last no _';
  throw new InvalidArgumentError('prefix', allowed, prefix);
}

function checkSecrets(secrets: unknown): [label: string, Cipher][] {
  const entries = Object.entries(checkObject('secrets', secrets));
  if (entries.length === 0) throw new InvalidArgumentError('secrets', 'an object with a key', 'no key');
  return entries.map(([label, secret]) => {
    if (!LABEL.test(label))
      throw new InvalidArgumentError('a label of secrets', 'one letter or digit', label);
    checkSecret(`secrets.${label}`, secret);
    return [label, { algorithm: 'xtea', secret }];
  });
}
