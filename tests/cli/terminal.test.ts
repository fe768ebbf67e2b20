// What people see at a terminal of 80 × 24: pictures, kept as files; prompts; progress; colours.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createExternalIdCodec } from 'kazahana/external';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../services/process.ts';
import { type LeaseServer, startLeaseServer } from './lease-server.ts';
import { atTerminal, hasTerminal, type Session } from './pseudo-terminal.ts';
import { createSandbox, FIXED_CLOCK, kazahana, type Sandbox, shell } from './sandbox.ts';
import { Screen } from './screen.ts';

let sandbox: Sandbox;
let server: LeaseServer;
const URL = () => ({ KAZAHANA_URL: server.url });

beforeAll(async () => {
  // Whole hours, so that what is said of them stays the same however long the tests take.
  const leaseDuration = 2 * 3_600_000;
  const services = {
    // Over soon, and kept for fallback.
    supplies: { leaseDuration: 1000, fallbackGrace: leaseDuration },
    orders: { leaseDuration, maxLeasesPerRequest: 100 },
    ...Object.fromEntries(['billing', '支払い'].map((name) => [name, { leaseDuration, pool: 'second' }])),
  };
  [sandbox, server] = await Promise.all([createSandbox(), startLeaseServer({ services })]);
  await server.acquire('supplies', {}, 16 * 256);
  await server.acquire('orders', {}, 20 * 256);
  await server.acquire('billing', { host: 'web-1', process: '4711' }, 3 * 256);
  await server.acquire('支払い', { host: '東京-サーバー', note: 'a\u001b[31mred\u0007' });
  await server.acquire('支払い', { host: 'a-host-with-a-very-long-name.of-a-long-domain.example.com' });
});
afterAll(async () => {
  await server.dispose();
  sandbox.dispose();
});

const picture = (name: string) => `pictures/${name}.txt`;

describe.skipIf(!hasTerminal)('at a terminal of 80 × 24', () => {
  const inspected: [name: string, args: string[], columns?: number][] = [
    ['inspect-uuid', ['inspect', '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa']],
    ['inspect-fallback', ['inspect', '115005299099698439']],
    ['inspect-ambiguous', ['inspect', '1212092628029698048']],
    ['inspect-taken-off', ['"01JGFJJZ00ENGSYN6QSQ3KMY59",']],
    ['inspect-narrow', ['inspect', '115005299097601287'], 40],
  ];
  for (const [name, args, columns = 80] of inspected) {
    it(`${args.join(' ')} looks like ${picture(name)}`, async () => {
      const session = atTerminal(sandbox, args, { environment: FIXED_CLOCK, columns });
      expect(await session.ended).toBe(0);
      const screen = new Screen(columns, 60).write(session.output);
      await expect(screen.picture).toMatchFileSnapshot(picture(name));
      for (const line of screen.text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    });
  }

  it('without an ID, inspect says so and does not wait', async () => {
    const session = atTerminal(sandbox, ['inspect']);
    expect(await session.ended).toBe(2);
    expect(session.output).toContain('kazahana inspect: no IDs: name some, or pipe them in, one a line');
  });

  it('help has headings and commands in colours', async () => {
    const session = atTerminal(sandbox, ['--help']);
    expect(await session.ended).toBe(0);
    expect(session.output).toContain('\u001b[1mMake IDs:\u001b[22m');
    expect(session.output).toContain('\u001b[36muuid');
    const plain = atTerminal(sandbox, ['--help'], { environment: { NO_COLOR: '1' } });
    await plain.ended;
    expect(plain.output).not.toContain('\u001b');
  });

  for (const columns of [80, 40]) {
    it(`serve at ${columns} columns has a banner, a line an event, and ends with Ctrl-C`, async () => {
      const port = await freePort();
      const store = `sqlite:./serve-${columns}.db`;
      const session = atTerminal(sandbox, ['serve', '--port', String(port), '--store', store], { columns });
      await session.shows(/Ctrl-C ends it/);
      const url = `http://127.0.0.1:${port}`;
      const screen = () =>
        new Screen(columns, 60)
          .write(session.output)
          .picture.replaceAll(String(port), '20000')
          .replaceAll(/\d\d:\d\d:\d\d(?= {2})/g, 'HH:MM:SS');
      await expect(screen()).toMatchFileSnapshot(picture(`serve-${columns}`));
      await kazahana(sandbox, ['pool', 'layout', '13', '9', '--yes', '--url', url]);
      await session.shows(/layout of the pool changed/);
      session.type('\u0003');
      expect(await session.ended).toBe(0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
      expect(session.output).toMatch(/\u001b\[33mwarn \u001b\[39m {2}layout of the pool changed/);
      expect(session.output).not.toContain('"msg"');
    });
  }

  it('serve --log-format json has no banner, at a terminal either', async () => {
    const session = atTerminal(sandbox, [
      'serve',
      '--port',
      '0',
      '--store',
      'memory:',
      '--log-format',
      'json',
    ]);
    await session.shows(/"msg":"listening"/);
    session.type('\u0003');
    expect(await session.ended).toBe(0);
    expect(session.output).not.toContain('風花');
  });

  it('serve for a file tells a user at the terminal where it is', async () => {
    const redirection = '> serve.log';
    const session = atTerminal(sandbox, ['serve', '--port', '0', '--store', 'memory:'], { redirection });
    await session.shows(/Ctrl-C ends it/);
    session.type('\u0003');
    expect(await session.ended).toBe(0);
    expect(readFileSync(join(sandbox.folder, 'serve.log'), 'utf8')).toContain('"msg":"listening"');
  });

  it('wide characters in what is wrong keep the caret in its column', async () => {
    const args = ['validate', '風花01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa'];
    const session = atTerminal(sandbox, args);
    expect(await session.ended).toBe(1);
    await expect(new Screen().write(session.output).picture).toMatchFileSnapshot(picture('validate-wide'));
  });

  it(`pool list looks like ${picture('pool-list')}, whatever holders call themselves`, async () => {
    for (const [name, columns, more] of [
      ['pool-list', 80, []],
      ['pool-list-narrow', 40, []],
      ['pool-list-all', 80, ['--all']],
    ] as const) {
      const args = ['pool', 'list', '--pool', 'second', ...more];
      const session = atTerminal(sandbox, args, { environment: URL(), columns });
      expect(await session.ended).toBe(0);
      await expect(new Screen(columns).write(session.output).picture).toMatchFileSnapshot(picture(name));
    }
  });

  /** The last look at the pool that was drawn whole. */
  function lastLook({ output }: Session, columns: number): Screen {
    const [, ...looks] = output.split('\u001b[H');
    const last = looks.findLast((look) => WHOLE_LOOK.test(look)) ?? '';
    return new Screen(columns).write(last);
  }
  const WHOLE_LOOK = /16 kept\s+for fallback.*are\s+for fallback/s;
  const withoutClock = (screen: Screen) => screen.picture.replace(/\d\d:\d\d:\d\d(?=\n)/, 'HH:MM:SS');

  it(`pool watch looks like ${picture('pool-watch')}, goes on while the server is away, and ends with Ctrl-C`, async () => {
    const session = atTerminal(sandbox, ['pool', 'watch'], { environment: URL() });
    await session.shows(WHOLE_LOOK);
    await expect(withoutClock(lastLook(session, 80))).toMatchFileSnapshot(picture('pool-watch'));
    // In 40 columns lines are folded, and nothing is cut off.
    const narrow = atTerminal(sandbox, ['pool', 'watch'], { environment: URL(), columns: 40 });
    await narrow.shows(WHOLE_LOOK);
    const folded = lastLook(narrow, 40);
    await expect(withoutClock(folded)).toMatchFileSnapshot(picture('pool-watch-40'));
    expect(folded.text).not.toContain('…');
    narrow.type('\u0003');
    expect(await narrow.ended).toBe(0);
    await server.acquire('users', { host: 'web-9' });
    await session.shows(/\d\d:\d\d:\d\d \S*■\S* users on web-9 got \d+/);
    await server.stop();
    await session.shows(/no lease server responds at .*; this is what was last seen/);
    await server.start();
    session.type('\u0003');
    expect(await session.ended).toBe(0);
  });

  describe('a secret', () => {
    const { toExternalId } = createExternalIdCodec({ secret: '秘密 of ours' });

    it('is requested, and not shown', async () => {
      const session = atTerminal(sandbox, ['external', 'encode', '115005299097601287', '--ask-secret']);
      await session.shows(/secret: $/);
      session.type('秘密 of ours\r');
      expect(await session.ended).toBe(0);
      expect(session.output.replaceAll('\r', '')).toBe(`secret: \n${toExternalId(115005299097601287n)}\n`);
    });

    for (const [title, keys] of [
      ['Ctrl-C', '\u0003'],
      ['Ctrl-D', '\u0004'],
      ['nothing', '\r'],
    ] as const) {
      it(`${title} is none`, async () => {
        const session = atTerminal(sandbox, ['external', 'encode', '5', '--ask-secret']);
        await session.shows(/secret: $/);
        session.type(keys);
        expect(await session.ended).toBe(2);
        expect(session.output).toContain('kazahana external encode: the secret is empty');
      });
    }
  });

  describe('an operator', () => {
    for (const [title, keys] of [
      ['no', 'no\r'],
      ['y alone', 'y\r'],
      ['Ctrl-C', '\u0003'],
    ] as const) {
      it(`who says ${title} changes nothing`, async () => {
        const session = atTerminal(sandbox, ['pool', 'quarantine'], { environment: URL() });
        await session.shows(/Go on\? \(yes\/no\) $/);
        expect(new Screen().write(session.output).text).toContain('after a restored backup.');
        session.type(keys);
        expect(await session.ended).toBe(1);
        expect(session.output).toContain('Nothing was done.');
        const { stdout } = await kazahana(sandbox, ['pool', 'status', '--json'], { environment: URL() });
        expect(JSON.parse(stdout).quarantinedUntil).toBe(0);
      });
    }

    it('who says yes does it', async () => {
      await server.acquire('orders');
      const session = atTerminal(sandbox, ['pool', 'revoke', '0'], { environment: URL() });
      await session.shows(/Go on\? \(yes\/no\) $/);
      session.type('yes\r');
      expect(await session.ended).toBe(0);
      expect(session.output).toContain('the lease of machine ID 0 is revoked');
    });
  });

  describe('progress', () => {
    it('is shown while many IDs are made for a file, and gone at the end', async () => {
      // Alone there are 256 a millisecond, so this takes its time on any machine.
      const session = atTerminal(sandbox, ['next', '-n', '250000'], { redirection: '> ids' });
      await session.shows(/[█░]{20} +\d+ % {2}[\d,]+ IDs/);
      expect(await session.ended).toBe(0);
      expect(new Screen().write(session.output).text).toBe('');
    });

    it('is shown while a stream is read, and gone before the report', async () => {
      await shell(sandbox, 'mkfifo fifo');
      const session = atTerminal(sandbox, ['verify', '-'], { redirection: '< fifo' });
      const stream = createWriteStream(join(sandbox.folder, 'fifo'));
      const timer = setInterval(() => stream.write('5\n'), 20);
      await session.shows(/\r[\d,]+ lines/);
      clearInterval(timer);
      stream.end();
      expect(await session.ended).toBe(1);
      expect(new Screen().write(session.output).text).toMatch(/^IDs {12}[\d,]+\nnot an ID/);
    });

    it('is not shown where the data themselves are', async () => {
      const session = atTerminal(sandbox, ['next', '-n', '3']);
      expect(await session.ended).toBe(0);
      expect(session.output).toMatch(/^(?:\d+\r\n){3}$/);
    });
  });

  it('colours are there, unless NO_COLOR, TERM or --color say no', async () => {
    const colored = async (args: string[], environment: Record<string, string> = {}) => {
      const inspect = atTerminal(sandbox, ['inspect', '67', ...args], { environment });
      await inspect.ended;
      return inspect.output.includes('\u001b[34m');
    };
    expect(await colored([])).toBe(true);
    expect(await colored([], { NO_COLOR: '1' })).toBe(false);
    expect(await colored([], { NO_COLOR: '' })).toBe(true);
    expect(await colored([], { TERM: 'dumb' })).toBe(false);
    expect(await colored(['--color', 'never'])).toBe(false);
    expect(await colored(['--color', 'always'], { NO_COLOR: '1' })).toBe(true);
  });
});
