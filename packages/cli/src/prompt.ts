// Questions to the user at the terminal. Asked on stderr, because stdout is for data.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** The answer; undefined when there is none (Ctrl-C, Ctrl-D). */
function readAnswer(question: string, output: NodeJS.WritableStream): Promise<string | undefined> {
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  // Only now: what is typed in answer to it must not be echoed by the terminal itself.
  process.stderr.write(question);
  return new Promise((resolve) => {
    let answer: string | undefined;
    prompt.on('line', (line) => {
      answer = line;
      prompt.close();
    });
    prompt.on('SIGINT', () => prompt.close());
    prompt.on('close', () => resolve(answer));
  });
}

export const ask = (question: string) => readAnswer(question, process.stderr);

/** Shows nothing of what is typed. */
export async function askSecretly(question: string): Promise<string | undefined> {
  const answer = await readAnswer(question, new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.stderr.write('\n');
  return answer;
}
