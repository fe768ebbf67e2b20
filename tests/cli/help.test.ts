// The help of every command: its form, and its examples, each of which is run and its output compared with
// help-examples.txt.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../packages/cli/dist/program.js';
import { root } from '../../scripts/run.ts';
import { runStep, type Stage } from './examples.ts';
import { startLeaseServer } from './lease-server.ts';
import { createSandbox, kazahana } from './sandbox.ts';
import { parseTranscript } from './transcript.ts';

type Command = ReturnType<typeof createProgram>;

/** The words that lead to every command, the program itself first. */
function pathsOf(command: Command, path: readonly string[] = []): (readonly string[])[] {
  return [path, ...command.commands.flatMap((sub) => pathsOf(sub, [...path, sub.name()]))];
}

const paths = pathsOf(createProgram(() => {}));
const steps = parseTranscript(readFileSync(new URL('help-examples.txt', import.meta.url), 'utf8'));
const helps = new Map<string, string>();
let stage: Stage;

beforeAll(async () => {
  const [sandbox, server] = await Promise.all([createSandbox(), startLeaseServer()]);
  stage = { sandbox, server };
  await server.acquire('orders', { host: 'web-1' });
  const queue = [...paths];
  const readHelp = async () => {
    for (let path = queue.shift(); path; path = queue.shift()) {
      const { code, stdout } = await kazahana(sandbox, [...path, '--help']);
      expect(code).toBe(0);
      helps.set(path.join(' '), stdout);
    }
  };
  await Promise.all([readHelp(), readHelp(), readHelp()]);
});
afterAll(async () => {
  await stage.server.dispose();
  stage.sandbox.dispose();
});

const examplesOf = (help: string) => [...help.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line);

describe('the help', () => {
  for (const path of paths) {
    it(`of ${['kazahana', ...path].join(' ')} has examples and exit codes, in 80 columns`, () => {
      const help = helps.get(path.join(' ')) ?? '';
      expect(help).toMatch(/^Usage: kazahana/);
      expect(examplesOf(help).length).toBeGreaterThan(0);
      expect(help).toMatch(
        path.length === 0 ? /\nExit codes:\n {2}0 {2}fine\n/ : /\nExit codes: kazahana --help\n$/,
      );
      for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    });
  }

  it('has no example that is not tried, and none is tried that it has not', () => {
    const shown = new Set([...helps.values()].flatMap(examplesOf));
    expect(steps.map(({ command }) => command).sort()).toEqual([...shown].sort());
  });
});

describe('docs/cli.md', () => {
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8');

  it('has every command', () => {
    const missing = paths.filter((path) => path.length > 0 && !page.includes(`kazahana ${path.join(' ')}`));
    expect(missing).toEqual([]);
  });

  it('has every variable of the help', () => {
    const shown = [...helps.values()].flatMap((help) => [
      ...help.matchAll(/^ {2}(KAZAHANA_[A-Z]+|NO_COLOR|TMPDIR)\b/gm),
    ]);
    expect(
      [...new Set(shown.map(([, name]) => name))].filter((name) => !page.includes(`\`${name}\``)),
    ).toEqual([]);
  });

  it('has the exit codes as the help has them', () => {
    const codes = [...(helps.get('') ?? '').matchAll(/^ {2}(\d) {2}(.*)$/gm)];
    expect(codes).toHaveLength(5);
    for (const [, code, meaning] of codes) expect(page).toMatch(new RegExp(`\\| ${code} \\| ${meaning}`));
  });
});

describe('an example of the help prints what it should', () => {
  for (const step of steps) {
    it(step.command, async () => {
      await runStep(stage, step, 0);
    });
  }
});
