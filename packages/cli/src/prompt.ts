// Questions to the user at the terminal. On stderr, because stdout is for data.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** What the user types; undefined when there is none (Ctrl-C, Ctrl-D). */
function readTyped(question: string, output: NodeJS.WritableStream): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  // Only now: what is typed from now on must not be echoed by the terminal itself.
  process.stderr.write(question);
  return new Promise((resolve) => {
    let typed: string | undefined;
    prompt.on('line', (line) => {
      typed = line;
      prompt.close();
    });
    prompt.on('SIGINT', () => prompt.close());
    prompt.on('close', () => resolve(typed));
  });
}

export const ask = (question: string) => readTyped(question, process.stderr);

/** Shows nothing of what is typed. */
export async function askSecretly(question: string): Promise<string | undefined> {
  const typed = await readTyped(question, new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.stderr.write('\n');
  return typed;
}
