// How external IDs are written, by flags, environment and a file with keys that can be rotated.
import { readFileSync } from 'node:fs';
import type { ExternalIdAlgorithm, ExternalIdOptions } from 'kazahana/external';
import { readSecret, SECRET_VARIABLE, type SecretFlags } from './secret.js';
import { UsageError } from './terminal.js';
import { quoted, visible } from './visible.js';

export interface ExternalOptionFlags extends SecretFlags {
  readonly algorithm?: ExternalIdAlgorithm;
  /** The kind of thing that the IDs name. */
  readonly prefix?: string;
  /** A JSON file with keys by their labels, and which of them is for new texts. */
  readonly secretsFile?: string;
}

type Keys = Pick<ExternalIdOptions, 'secrets' | 'current'>;

const FORM = 'a JSON object like { "current": "b", "secrets": { "a": "…", "b": "…" } }';

/** Nothing of the file is shown: there are secrets in it. */
function readKeys(path: string): Keys {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `--secrets-file: ${visible(path)} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new UsageError(`--secrets-file must be ${FORM}; ${quoted(path)} is not JSON`);
  }
  const { current, secrets, ...rest } = (content ?? {}) as Record<string, unknown>;
  const isObject = typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets);
  if (!isObject || (current !== undefined && typeof current !== 'string') || Object.keys(rest).length > 0)
    throw new UsageError(`--secrets-file must be ${FORM}`);
  return { secrets: secrets as Record<string, string>, ...(current !== undefined && { current }) };
}

export async function externalOptionsOf(flags: ExternalOptionFlags): Promise<ExternalIdOptions> {
  const { algorithm, prefix, secretsFile } = flags;
  const secret = await readSecret(flags);
  const keys = secretsFile === undefined ? {} : readKeys(secretsFile);
  if (algorithm === 'xtea' && secret === undefined && secretsFile === undefined) {
    throw new UsageError(
      `xtea needs a secret: set ${SECRET_VARIABLE}, or use --ask-secret or --secrets-file`,
    );
  }
  return {
    ...keys,
    ...(prefix !== undefined && { prefix }),
    ...(algorithm !== undefined && { algorithm }),
    ...(secret !== undefined && algorithm !== 'none' && algorithm !== 'mix' && { secret }),
  };
}
