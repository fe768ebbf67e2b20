// A secret from the environment or from a prompt that does not echo; never from a flag, where every process can read it.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './terminal.js';

export interface SecretFlags {
  /** Ask for it. */
  readonly askSecret?: boolean;
}

export const SECRET_VARIABLE = 'KAZAHANA_EXTERNAL_SECRET';

export async function readSecret({ askSecret }: SecretFlags): Promise<string | undefined> {
  const fromEnvironment = process.env[SECRET_VARIABLE];
  if (!askSecret) return fromEnvironment === '' ? undefined : fromEnvironment;
  if (!process.stdin.isTTY) throw new UsageError(`--ask-secret needs a terminal; or set ${SECRET_VARIABLE}`);
  process.stderr.write('secret: ');
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silence, terminal: true });
  try {
    const secret = await prompt.question('');
    if (secret === '') throw new UsageError('the secret is empty');
    return secret;
  } finally {
    prompt.close();
    process.stderr.write('\n');
  }
}
