// How external IDs are written, as the reader chooses it, and the codec of that choice.
import {
  createExternalIdCodec,
  type ExternalIdAlgorithm,
  type ExternalIdCodec,
  type ExternalIdOptions,
} from 'kazahana/external';

export const ALGORITHMS = ['mix', 'xtea', 'none'] as const satisfies readonly ExternalIdAlgorithm[];

/** A key that can be rotated: its label stands in every text that it wrote. */
export interface Key {
  readonly label: string;
  readonly secret: string;
}

export interface ExternalChoice {
  readonly algorithm: ExternalIdAlgorithm;
  /** The one key of texts without a label. */
  readonly secret: string;
  /** Empty: no prefix. */
  readonly prefix: string;
  /** Empty: one key, no label. */
  readonly keys: readonly Key[];
  readonly current: string;
}

export const DEFAULT_CHOICE: ExternalChoice = {
  algorithm: 'mix',
  secret: '',
  prefix: '',
  keys: [],
  current: '',
};

export type CodecOf =
  | { readonly codec: ExternalIdCodec; readonly options: ExternalIdOptions }
  | { readonly problem: 'secret' | 'prefix' };

export function optionsOf({ algorithm, secret, prefix, keys, current }: ExternalChoice): ExternalIdOptions {
  const typed = prefix === '' ? {} : { prefix };
  if (algorithm !== 'xtea') return { algorithm, ...typed };
  if (keys.length === 0) return { algorithm, secret, ...typed };
  return { secrets: Object.fromEntries(keys.map((key) => [key.label, key.secret])), current, ...typed };
}

export function codecOf(choice: ExternalChoice): CodecOf {
  const { algorithm, secret, keys } = choice;
  const needed = keys.length > 0 ? keys.map((key) => key.secret) : [secret];
  if (algorithm === 'xtea' && needed.includes('')) return { problem: 'secret' };
  const options = optionsOf(choice);
  try {
    return { codec: createExternalIdCodec(options), options };
  } catch {
    return { problem: 'prefix' };
  }
}

const LABELS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** One more key, which new texts use from now on; the first one keeps what was written before readable. */
export function addKey(choice: ExternalChoice): ExternalChoice {
  const used = new Set(choice.keys.map(({ label }) => label));
  const free = [...LABELS].filter((label) => !used.has(label));
  const [first = 'a', second = 'b'] = free;
  if (choice.keys.length === 0) {
    const keys = [
      { label: first, secret: choice.secret },
      { label: second, secret: '' },
    ];
    return { ...choice, keys, current: second };
  }
  return { ...choice, keys: [...choice.keys, { label: first, secret: '' }], current: first };
}

export function removeKey(choice: ExternalChoice, label: string): ExternalChoice {
  const keys = choice.keys.filter((key) => key.label !== label);
  const [only] = keys;
  if (keys.length <= 1) return { ...choice, keys: [], current: '', secret: only?.secret ?? '' };
  return { ...choice, keys, current: choice.current === label ? (keys.at(-1)?.label ?? '') : choice.current };
}

export function changeKey(choice: ExternalChoice, label: string, secret: string): ExternalChoice {
  return { ...choice, keys: choice.keys.map((key) => (key.label === label ? { label, secret } : key)) };
}

export const canAddKey = ({ keys }: ExternalChoice): boolean => keys.length < 8;
