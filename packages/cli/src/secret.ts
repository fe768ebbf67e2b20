// A secret from the environment or from a prompt that does not echo; never from a flag, where every process can read it.
import { UsageError } from './terminal.js';

export interface SecretFlags {
  /** Ask for it. */
  readonly askSecret?: boolean;
}

export const SECRET_VARIABLE = 'KAZAHANA_EXTERNAL_SECRET';

export async function readSecret({ askSecret }: SecretFlags): Promise<string | undefined> {
  if (!askSecret) {
    const secret = process.env[SECRET_VARIABLE];
    // A file that could not be read, more often than a wish for external IDs without a secret.
    if (secret === '')
      throw new UsageError(`${SECRET_VARIABLE} is set but empty: give it a secret, or unset it`);
    return secret;
  }
  if (!process.stdin.isTTY) throw new UsageError(`--ask-secret needs a terminal; or set ${SECRET_VARIABLE}`);
  const { askSecretly } = await import('./prompt.js');
  const secret = await askSecretly('secret: ');
  if (!secret) throw new UsageError('the secret is empty');
  return secret;
}
