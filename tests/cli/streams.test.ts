// Data through pipes: what goes in and out as a stream, closed pipes, large counts, and what is left behind.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isUuid, validateUuid } from 'kazahana/uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, kazahana, type Sandbox, shell } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.dispose());

const linesOf = (text: string) => text.trimEnd().split('\n');

describe('a closed pipe', () => {
  for (const command of [
    'kazahana uuid -n 1000000',
    'kazahana next -n 1000000',
    'yes 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa | kazahana inspect -',
    'yes nonsense | kazahana validate -',
    'yes 5 | kazahana external encode -',
    'yes 67 | kazahana estelle decode -',
  ]) {
    it(`is the quiet end of ${command}`, async () => {
      const line = `{ ${command}; echo "code $?" >&2; } | head -1`;
      const { stdout, stderr } = await shell(sandbox, line);
      expect(linesOf(stdout)).toHaveLength(1);
      expect(stderr).toBe('code 0\n');
    });
  }
});

describe('uuid', () => {
  const forms: [args: string, form: RegExp][] = [
    ['v1', /^[0-9a-f-]{36}$/],
    ['v4', /^[0-9a-f-]{36}$/],
    ['v7', /^[0-9a-f-]{36}$/],
    ['v7 --upper', /^[0-9A-F-]{36}$/],
    ['v4 --no-hyphens', /^[0-9a-f]{32}$/],
    ['v4 --braces', /^\{[0-9a-f-]{36}\}$/],
    ['v7 --urn --upper', /^urn:uuid:[0-9A-F-]{36}$/],
    ['v1 --braces --no-hyphens', /^\{[0-9a-f]{32}\}$/],
  ];
  for (const [args, form] of forms) {
    it(`${args}: as many as are wanted, each another`, async () => {
      const { stdout } = await kazahana(sandbox, ['uuid', ...args.split(' '), '-n', '4321']);
      const uuids = linesOf(stdout);
      expect(new Set(uuids).size).toBe(4321);
      for (const uuid of uuids) {
        expect(uuid).toMatch(form);
        expect(validateUuid(uuid).version).toBe(args.slice(0, 2));
      }
    });
  }

  it('--at a time, rising; between the bounds of that millisecond', async () => {
    const at = '2026-11-16T12:00:00.123Z';
    const [made, min, max] = await Promise.all(
      [
        ['--at', at, '-n', '5'],
        ['--min', at],
        ['--max', at],
      ].map(async (args) => linesOf((await kazahana(sandbox, ['uuid', ...args])).stdout)),
    );
    const all = [...(min ?? []), ...(made ?? []), ...(max ?? [])];
    expect(all).toHaveLength(7);
    expect(all).toEqual(all.toSorted());
    expect(new Set(all.map((uuid) => uuid.slice(0, 13))).size).toBe(1);
    expect(all.every(isUuid)).toBe(true);
  });

  it('as JSON, one object a line', async () => {
    const { stdout } = await kazahana(sandbox, ['uuid', 'v4', '-n', '3', '--json', '--upper']);
    const made = linesOf(stdout).map((line) => JSON.parse(line));
    expect(made).toHaveLength(3);
    for (const { uuid, version } of made) expect([isUuid(uuid), version]).toEqual([true, 'v4']);
  });
});

describe('next', () => {
  it('gives a 64-bit ID as text in JSON, and its external form', async () => {
    const secret = { KAZAHANA_EXTERNAL_SECRET: 'of ours' };
    const { stdout } = await kazahana(sandbox, ['next', '-n', '3', '--json', '--external'], {
      environment: secret,
    });
    for (const line of linesOf(stdout)) {
      const { id, external: externalId } = JSON.parse(line);
      expect(id).toMatch(/^\d{17,19}$/);
      const decoded = await kazahana(sandbox, ['external', 'decode', externalId], { environment: secret });
      expect(decoded.stdout).toBe(`${id}\n`);
    }
  });

  it('has external IDs that begin with a hyphen, and reads them like all others', async () => {
    for (const dashed of ['-SNFZ4mrze8', '--NFZ4mrze8']) {
      const decoded = await kazahana(sandbox, [
        'external',
        'decode',
        dashed,
        'ASNFZ4mrze8',
        '--algorithm',
        'none',
      ]);
      const [first = '', second] = linesOf(decoded.stdout);
      expect(second).toBe('81985529216486895');
      const encoded = await kazahana(sandbox, ['external', 'encode', first, '--algorithm', 'none']);
      expect(encoded.stdout).toBe(`${dashed}\n`);
      const inspected = await kazahana(sandbox, ['inspect', dashed, '--json']);
      expect(JSON.parse(inspected.stdout)).toMatchObject({ input: dashed });
    }
  });

  it('writes external IDs with a prefix and keys that can be rotated, and reads old ones', async () => {
    const keys = ['--prefix', 'user', '--secrets-file'];
    const [made = ''] = linesOf(
      (await kazahana(sandbox, ['external', 'encode', '5', ...keys, 'keys.json'])).stdout,
    );
    expect(made).toMatch(/^user_b[\w-]{11}$/);
    const { secrets } = JSON.parse(readFileSync(join(sandbox.folder, 'keys.json'), 'utf8'));
    const rotated = { current: 'c', secrets: { ...secrets, c: 'the third secret of ours' } };
    writeFileSync(join(sandbox.folder, 'rotated.json'), JSON.stringify(rotated));
    const decoded = await kazahana(sandbox, ['external', 'decode', made, ...keys, 'rotated.json']);
    expect(decoded.stdout).toBe('5\n');
    const next = await kazahana(sandbox, ['next', '--external', ...keys, 'rotated.json']);
    expect(next.stdout).toMatch(/^user_c[\w-]{11}\n$/);
    const inspected = await kazahana(sandbox, [
      'inspect',
      next.stdout.trim(),
      '--json',
      ...keys,
      'rotated.json',
    ]);
    expect(JSON.parse(inspected.stdout).readings[0]).toMatchObject({
      format: 'external-id',
      certainty: 'likely',
    });
  });

  it('leases from a store, and gives the leases back', async () => {
    const store = ['--store', 'sqlite:./next.db'];
    const made = await kazahana(sandbox, ['next', '-n', '600', ...store]);
    expect(new Set(linesOf(made.stdout)).size).toBe(600);
    const { stdout } = await kazahana(sandbox, ['pool', 'status', '--json', ...store]);
    expect(JSON.parse(stdout)).toMatchObject({ held: 0, slots: 8192 });
    expect(JSON.parse(stdout).serial).toBeGreaterThan(0);
  });

  it('takes the store of the environment where --store names none', async () => {
    const environment = { KAZAHANA_STORE: 'sqlite:./environment.db' };
    expect((await kazahana(sandbox, ['next', '--store'], { environment })).code).toBe(0);
    expect(readdirSync(sandbox.folder)).toContain('environment.db');
  });
});

describe('inspect', () => {
  it('shows each line as it comes, before the stream ends', async () => {
    // The second line is sent when the first has been printed.
    const line = `
      coproc kazahana inspect -
      for id in 8786953 67; do
        echo $id >&\${COPROC[1]}
        read -r line <&\${COPROC[0]}
        echo "$line"
      done`;
    const { stdout } = await shell(sandbox, line);
    expect(stdout).toBe('8786953  Estelle conversation  (possible)\n67  Estelle pylon  (possible)\n');
  });
});

describe('verify', () => {
  it('finds what is wrong among many, whatever does not fit into memory', async () => {
    // More than one run of 2^21 keys; the last of them again at the end.
    const line =
      '{ seq 1000000000000000000 1000000000002100000; echo 1000000000000000007; } | kazahana verify --epoch unix --json -';
    const { code, stdout, stderr } = await shell(sandbox, line);
    expect([code, stderr]).toEqual([1, '']);
    expect(JSON.parse(stdout)).toEqual({
      ids: 2_100_002,
      invalid: 0,
      duplicates: 1,
      orderBreaks: 1,
      future: 0,
      fallback: expect.any(Number),
      isFine: false,
      examples: [
        'line 2100002: 1000000000000000007 is below the one before it',
        'line 2100002: 1000000000000000007 stands on line 8 already',
      ],
    });
  });

  it('leaves nothing behind in the temporary folder', async () => {
    await shell(sandbox, 'kazahana uuid -n 100000 | kazahana verify -');
    expect(readdirSync(sandbox.folder).filter((name) => name.startsWith('kazahana-'))).toEqual([]);
  });

  it('reads UUIDs of every form, and tells order by what they are', async () => {
    const forms = ['', '--upper', '--no-hyphens', '--braces', '--urn'];
    const line = `for form in ${forms.map((form) => `"${form}"`).join(' ')}; do kazahana uuid -n 100 $form; done | kazahana verify --json -`;
    const { code, stdout } = await shell(sandbox, line);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ids: 500, isFine: true });
  });
});
