// The pages on running a server say what it really has: settings, commands, routes, sizes, log lines.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLeaseApp, resolveServerConfig } from '@kazahana/server';
import { MemoryLeaseProvider } from 'kazahana';
import { type PoolConfig, resolvePools } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { FILE_SETTINGS } from '../packages/server/src/config.ts';
import { root, run } from '../scripts/run.ts';
import { coded, readFile, snippets, sorted, table } from './operations-page.ts';
import { resolveFile } from './server-config.ts';

const messageOf = (call: () => unknown) => {
  try {
    call();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was expected to throw');
};

/** The flags of a command, as its help lists them; those that all commands have are under another heading. */
async function flagsOf(...command: string[]): Promise<string[]> {
  const bin = join(root, 'packages/cli/bin/kazahana.cjs');
  const { code, output } = await run(process.execPath, [bin, ...command, '--help']);
  if (code !== 0) throw new Error(output);
  const [, options = ''] = /^Options:\n((?: .*\n)*)/m.exec(output) ?? [];
  return [...options.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag ?? '');
}

describe('the commands', () => {
  it('exist, with the flags that they are shown with', async () => {
    const lines = snippets.flatMap(({ language, code }) =>
      language === 'sh' ? code.split('\n').filter((line) => line.startsWith('kazahana ')) : [],
    );
    expect(lines.length).toBeGreaterThan(3);
    const known = new Map<string, Promise<string[]>>();
    for (const line of lines) {
      const [, words = ''] = /^kazahana ((?:serve|pool \w+))\b/.exec(line) ?? [];
      known.set(words, known.get(words) ?? flagsOf(...words.split(' ')));
      for (const [flag] of line.matchAll(/--[\w-]+/g)) expect(await known.get(words), line).toContain(flag);
    }
  });
});

describe('the examples of a configuration', () => {
  const examples = snippets.filter(({ language }) => language === 'json');

  it('are accepted by the server', () => {
    expect(examples.length).toBeGreaterThan(0);
    for (const { origin, code } of examples) expect(() => resolveFile(code), origin).not.toThrow();
    expect(resolveFile(examples[0]?.code ?? '').tokens.length).toBeGreaterThan(0);
  });

  it('are refused as they stand: their secrets can be read by everybody', () => {
    const [full] = examples;
    const folder = mkdtempSync(join(tmpdir(), 'kazahana-example-'));
    const config = join(folder, 'config.json');
    writeFileSync(config, full?.code ?? '');
    const message = messageOf(() => resolveServerConfig({ config }, {}));
    rmSync(folder, { recursive: true });
    expect(message).toContain('lossKey: is a placeholder');
    expect(message).toContain('tokens.1.sha256: must be 64 lower-case hexadecimal digits');
  });

  it('show no token that a server takes', () => {
    const documents = globSync(['README.md', 'docs/*.md', 'packages/*/README.md', 'examples/*.ts'], {
      cwd: root,
    });
    const shown = documents.flatMap((path) =>
      [...readFile(path).matchAll(/\btoken: '([^']+)'/g)].map(([, token = '']) => ({ path, token })),
    );
    expect(shown.length).toBeGreaterThan(1);
    for (const { path, token } of shown) {
      const tokens = [{ name: 'a', token, scopes: ['acquire'] }];
      expect(
        messageOf(() => resolveFile(JSON.stringify({ tokens }))),
        `${path}: ${token}`,
      ).toMatch(/^tokens\.a /);
    }
  });

  it('show every setting once, as their text promises', () => {
    const [full] = examples;
    const names = coded(table('settings'), 0).map((name) => name?.split('.')[0]);
    expect(sorted(Object.keys(JSON.parse(full?.code ?? '{}')))).toEqual(
      sorted(names.filter((name) => name !== 'insecure')),
    );
  });
});

describe('the tables of settings', () => {
  const rows = table('settings');
  const isKnown = (content: object) =>
    !/nrecognized/.test(messageOf(() => resolveFile(JSON.stringify({ ...content, port: 'refused' }))));

  it('name the fields of the file', () => {
    const top = FILE_SETTINGS.flatMap((name) =>
      name === 'tls' ? ['tls.cert', 'tls.key', 'tls.clientCa'] : [name],
    );
    expect(sorted(coded(rows, 0))).toEqual(sorted(top));
    for (const name of top.filter((key) => !key.includes('.')))
      expect(isKnown({ [name]: null }), name).toBe(true);
    expect(isKnown({ tls: { cert: 0, key: 0, clientCa: 0 } })).toBe(true);
    expect(isKnown({ surely: 'not' })).toBe(false);
  });

  it('name the environment variables that are read', () => {
    const read: string[] = [];
    const env = new Proxy({}, { get: (_, name) => void read.push(String(name)) });
    resolveServerConfig({}, env);
    expect(sorted(coded(rows, 1).filter((name) => !name.startsWith('--')))).toEqual(sorted(read));
  });

  it('name the flags of the command', async () => {
    const flags = await flagsOf('serve');
    expect(sorted(coded(rows, 1).filter((name) => name.startsWith('--')))).toEqual(
      sorted(flags.filter((flag) => flag !== '--help')),
    );
  });

  it('say the defaults', () => {
    const { isInsecure: insecure, ...config } = resolveServerConfig({}, {});
    const values: Record<string, unknown> = { ...config, insecure };
    const named = rows.map((row) => [coded([row], 0)[0] ?? '', coded([row], 2)[0]] as const);
    const scalars = named.filter(([name]) => ['string', 'number', 'boolean'].includes(typeof values[name]));
    expect(scalars.length).toBe(10);
    for (const [name, text] of scalars) expect(text, name).toBe(String(values[name]));
    const { leaseDuration, maxLeasesPerRequest } = config.services?.default ?? {};
    const ofServices = Object.fromEntries(
      table('services').map((row) => [coded([row], 0)[0], row[1]?.trim()]),
    );
    expect(ofServices).toMatchObject({
      leaseDuration: String(leaseDuration),
      maxLeasesPerRequest: String(maxLeasesPerRequest),
    });
    const { layout } = resolvePools().pool('default');
    const ofPools = table('pools').map((row) => [coded([row], 0)[0], Number(row[1])]);
    // A share is no number, and all of the machine IDs when it is left out.
    expect(Object.fromEntries(ofPools)).toEqual({ ...layout, share: Number.NaN });
  });

  it('name the fields of services', () => {
    const unknown = { services: { default: { surely: 'not' } } } as unknown as Parameters<
      typeof resolvePools
    >[0];
    const [, list = ''] = /one of (.*), got/.exec(messageOf(() => resolvePools(unknown))) ?? [];
    const names = list.split(', ').filter((name) => isKnown({ services: { default: { [name]: null } } }));
    expect(names.length).toBeGreaterThan(5);
    expect(sorted(coded(table('services'), 0))).toEqual(sorted(names));
  });

  it('name the fields of tokens, and the scopes', () => {
    const token = { name: 'a', sha256: '0'.repeat(64), scopes: ['acquire'] };
    const [resolved = {}] = resolveFile(JSON.stringify({ tokens: [token] })).tokens;
    const sources = messageOf(() =>
      resolveFile(JSON.stringify({ tokens: [{ ...token, sha256: undefined }] })),
    );
    const [, list = ''] = /exactly one of (.*)/.exec(sources) ?? [];
    expect(sorted(coded(table('tokens'), 0))).toEqual(
      sorted([...Object.keys(resolved), ...list.split(', ')]),
    );
    const scopes = messageOf(() => resolveFile(JSON.stringify({ tokens: [{ ...token, scopes: ['?'] }] })));
    const known = [...scopes.matchAll(/"(\w+)"/g)].map(([, scope]) => scope);
    expect(sorted(coded(table('routes'), 0))).toEqual(sorted(known));
    const levels = messageOf(() => resolveServerConfig({ logLevel: '?' }, {}));
    const row = rows.find(([name]) => name?.includes('logLevel'));
    expect(sorted(coded(row ? [row] : [], 3))).toEqual(
      sorted([...levels.matchAll(/"(\w+)"/g)].map(([, level]) => level)),
    );
  });
});

describe('the table of routes', () => {
  it('is what the server routes, with the scopes that it asks for', () => {
    const { routes } = createLeaseApp({ store: new MemoryLeaseProvider() });
    for (const row of table('routes')) {
      const scope = coded([row], 0)[0];
      const ofScope = routes.filter((route) => route.scope === scope);
      expect(sorted(coded([row], 1))).toEqual(sorted(ofScope.map(({ method, path }) => `${method} ${path}`)));
    }
  });
});

describe('the tables of sizes', () => {
  it('have the right numbers of years, machine IDs and IDs', () => {
    for (const [bits = '', years, machines = '', ids = '', random = ''] of table('bits')) {
      const [bitReserve = 0, bitTs = 0, bitId = 0, bitSeq = 0] = bits.split('+').map(Number);
      const layout: PoolConfig = { bitReserve, bitTs, bitId, bitSeq };
      expect(resolvePools({ pools: { default: layout } }).pool('default').layout).toMatchObject(layout);
      expect(Number(years)).toBe(Math.round(2 ** bitTs / (365.25 * 86_400_000) / 0.1) / 10);
      expect(machines.trim()).toBe((2 ** (bitId - 1)).toLocaleString('en'));
      expect(ids.trim()).toBe((2 ** bitSeq).toLocaleString('en'));
      // Rule R5: 21 random bits below the fallback bit.
      expect(random.trim()).toBe(bitId + bitSeq >= 22 ? 'yes' : 'no');
    }
  });

  it('have the right times and loads of lease durations', () => {
    const seconds = (text = '') => {
      const [, number, unit = ''] = /([\d.]+) (s|min|h)/.exec(text) ?? [];
      return Number(number) * ({ s: 1, min: 60, h: 3600 }[unit] ?? Number.NaN);
    };
    for (const [duration, renewed = '', anHour, aSecond, back] of table('durations')) {
      const lease = seconds(duration);
      const [first = '', last = ''] = renewed.split('–');
      const unit = last.trim().split(' ')[1];
      // 0.9 of the time, and up to a tenth of that earlier: JITTER in the client.
      expect(Math.abs(seconds(`${first} ${unit}`) / (lease * 0.81) - 1)).toBeLessThan(0.02);
      expect(Math.abs(seconds(last) / (lease * 0.9) - 1)).toBeLessThan(0.02);
      expect(Math.abs(Number(anHour) - 3600 / (lease * 0.855))).toBeLessThan(0.2);
      expect(Math.abs(Number(aSecond) - 1000 / (lease * 0.855))).toBeLessThan(0.1);
      expect(seconds(back)).toBe(2 * lease);
    }
  });
});

describe('the table of log lines', () => {
  it('has what the sources log', () => {
    const sources = globSync('packages/{server,cli}/src/**/*.ts', { cwd: root }).filter(
      (path) => !path.endsWith('.test.ts'),
    );
    const lines = sources.flatMap((path) => [
      ...readFile(path).matchAll(/\blog\.(\w+)\(\s*(?:\{[^}]*\},\s*)?'([^']+)'/g),
    ]);
    const real = lines.map(([, level, message]) => `${level} ${message}`);
    const said = table('logs').map((row) => `${row[0]?.trim()} ${coded([row], 1)[0]}`);
    expect(sorted(said)).toEqual(sorted(real));
  });
});
