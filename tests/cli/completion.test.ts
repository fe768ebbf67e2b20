// The completion scripts: each shell takes its own, and offers what fits.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureSystemPackage } from '../../scripts/system-packages.ts';
import { createSandbox, kazahana, type Sandbox, shell } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
  for (const name of ['bash', 'zsh', 'fish']) {
    const { stdout } = await kazahana(sandbox, ['completion', name]);
    writeFileSync(join(sandbox.folder, `completion.${name}`), stdout);
  }
});
afterAll(() => sandbox.dispose());

/** A shell, installed first where it must and can be. */
const has = (name: string) => {
  const found = ensureSystemPackage({ commands: [name], debian: name });
  if (found.path === null)
    console.log(`SKIPPED: completion in ${name} (${found.missing}). ${found.install}.`);
  return found.path !== null;
};

/** What is offered for the last word of a line. */
const ROWS: [line: string, offered: string[]][] = [
  ['kazahana u', ['uuid']],
  ['kazahana v', ['validate', 'verify', 'version']],
  ['kazahana pool ', ['status', 'list', 'watch', 'create', 'quarantine', 'revoke', 'layout']],
  ['kazahana pool r', ['revoke']],
  ['kazahana pool revoke --y', ['--yes']],
  ['kazahana external decode --al', ['--algorithm']],
  ['kazahana external decode --algorithm ', ['none', 'mix', 'xtea']],
  ['kazahana estelle tree --as w', ['workspace']],
  ['kazahana uuid v', ['v1', 'v4', 'v7']],
  ['kazahana completion f', ['fish']],
  ['kazahana uuid --color a', ['auto', 'always']],
  ['kazahana inspect --epo', ['--epoch']],
  ['kazahana inspect --as twi', ['twitter-snowflake']],
];

describe('bash', () => {
  it('takes the script', async () => {
    expect(await shell(sandbox, 'bash -n completion.bash')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('offers what fits', async () => {
    const script = ROWS.map(([line]) => {
      const words = line.split(' ');
      const quoted = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _kazahana; echo "\${COMPREPLY[*]}"`;
    });
    const { stdout } = await shell(sandbox, `source ./completion.bash; ${script.join('; ')}`);
    const offered = stdout.split('\n').map((line) => line.split(' '));
    for (const [i, [line, expected]] of ROWS.entries())
      expect([line, offered[i]?.filter((word) => !line.endsWith(' ') || !word.startsWith('--'))]).toEqual([
        line,
        expected,
      ]);
  });
});

describe.skipIf(!has('fish'))('fish', () => {
  it('takes the script, and offers what fits', async () => {
    const script = ROWS.map(([line]) => `complete -C '${line}'; echo ---`);
    writeFileSync(join(sandbox.folder, 'try.fish'), `source completion.fish\n${script.join('\n')}\n`);
    const { stdout, stderr } = await shell(sandbox, 'fish --no-config try.fish');
    expect(stderr).toBe('');
    const offered = stdout.split('---\n').map((text) => text.split('\n').map((line) => line.split('\t')[0]));
    for (const [i, [, expected]] of ROWS.entries())
      expect(offered[i]).toEqual(expect.arrayContaining(expected));
  });
});

describe.skipIf(!has('zsh'))('zsh', () => {
  it('takes the script, and offers what fits', async () => {
    // The functions of its completion system, which tell what they were given.
    const script = ROWS.map(([line]) => {
      const words = line.split(' ').map((word) => `'${word}'`);
      return `words=(${words.join(' ')}); CURRENT=${words.length}; offered=(); _kazahana; print -r -- "\${offered[*]}"`;
    });
    const stubs = `
      compdef() { :; }
      _files() { :; }
      _describe() { offered+=(\${\${(P)2}%%:*}); }
      compadd() { offered+=(\${(P)2}); }`;
    writeFileSync(
      join(sandbox.folder, 'try.zsh'),
      `${stubs}\nsource ./completion.zsh\n${script.join('\n')}\n`,
    );
    const { stdout, stderr } = await shell(sandbox, 'zsh -f try.zsh');
    expect(stderr).toBe('');
    const offered = stdout.split('\n').map((line) => line.split(' '));
    for (const [i, [, expected]] of ROWS.entries())
      expect(offered[i]).toEqual(expect.arrayContaining(expected));
  });
});
