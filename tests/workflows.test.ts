// The workflows for GitHub are run elsewhere; what can be seen here is that they are valid and run commands that exist.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../scripts/run.ts';

interface Workflow {
  readonly name: string;
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly 'runs-on': string;
  readonly strategy?: { readonly matrix: { readonly command: readonly string[] } };
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe.each(globSync('.github/workflows/*.yml', { cwd: root }))('%s', (path) => {
  const workflow = parse(read(path)) as Workflow;
  const jobs = Object.values(workflow.jobs);

  it('has what a workflow needs, and no more rights than it names', () => {
    expect(workflow.name).toMatch(/^\w+$/);
    expect(workflow.on).toBeTypeOf('object');
    expect(workflow.permissions.contents).toBe('read');
    expect(jobs.length).toBeGreaterThan(0);
    for (const { 'runs-on': runsOn, steps } of jobs) {
      expect(runsOn).toBe('ubuntu-latest');
      for (const { uses, run } of steps)
        expect([uses, run].filter((part) => part !== undefined)).toHaveLength(1);
    }
  });

  it('runs commands of this repository', () => {
    const commands = jobs.flatMap(({ steps, strategy }) => [
      ...steps.flatMap(({ run }) => run ?? []),
      ...(strategy?.matrix.command ?? []),
    ]);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands.filter((text) => !text.startsWith('${{'))) {
      const [, script = ''] = /^npm run ([\w:]+)/.exec(command) ?? [];
      expect(script === '' ? command : Object.keys(scripts)).toContain(
        script === '' ? 'bash .ci/run' : script,
      );
    }
  });
});
