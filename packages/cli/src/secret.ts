// A secret from the environment or from a prompt that does not echo; never from a flag, where every process can read it.
import { UsageError } from './terminal.js';

export interface SecretFlags {
  /** Ask for it. */
  readonly askSecret?: boolean;
}

export const SECRET_VARIABLE = 'KAZAHANA_EXTERNAL_SECRET';

export async function readSecret({ askSecret }: SecretFlags): Promise<string | undefined> {
  // Set but empty is not set.
  if (!askSecret) return process.env[SECRET_VARIABLE] || undefined;
  if (!process.stdin.isTTY) throw new UsageError(`--ask-secret needs a terminal; or set ${SECRET_VARIABLE}`);
  const { askSecretly } = await import('./prompt.js');
  const secret = await askSecretly('secret: ');
  if (!secret) throw new UsageError('the secret is empty');
  return secret;
}
