// What a person would see at a prompt: lines `$ command`, each with what it prints below it. In what it prints, `…` stands
// for anything within a line (a fresh ID, a time), and a line `⋮` for any number of lines.

export interface Step {
  readonly command: string;
  /** Lines; with their placeholders. */
  readonly output: readonly string[];
}

const PROMPT = '$ ';
const ANYTHING = '…';
const ANY_LINES = '⋮';

export function parseTranscript(text: string): Step[] {
  const steps: { command: string; output: string[] }[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    if (line.startsWith(PROMPT)) steps.push({ command: line.slice(PROMPT.length), output: [] });
    else if (steps.length === 0) throw new Error(`a transcript begins with a prompt, not with: ${line}`);
    else steps.at(-1)?.output.push(line);
  }
  return steps;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** What matches the whole output of a step. */
export function patternOf({ output }: Step): RegExp {
  const lines = output.map((line) =>
    line === ANY_LINES ? '(?:.*\n)*?' : `${line.split(ANYTHING).map(escaped).join('.+')}\n`,
  );
  return new RegExp(`^${lines.join('')}$`);
}

/** A step with what was really printed, to be compared by people. */
export const withOutput = (step: Step, printed: string): Step => ({
  ...step,
  output: printed === '' ? [] : printed.replace(/\n$/, '').split('\n'),
});
