// What others wrote cannot steer the terminal, hide in it or turn its direction: in any command, in JSON, in errors; and it costs
// no more than it is long.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeaseServer, startLeaseServer } from './lease-server.ts';
import { createSandbox, kazahana, type Sandbox } from './sandbox.ts';

/** Clears the screen, colours, turns the direction, hides, rings, goes back to the start of the line. */
const HOSTILE = 'x\u001b[2J\u009b31m\u202e\u200b\u200e\u200f\u061c\u2066\ufeff\u007f\u0007\ry';
/** Controls, formats, separators of lines; visible.test.ts has a list of them. */
const RAW = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Our own colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const COLOR = /\u001b\[\d{1,2}m/g;

let sandbox: Sandbox;
let server: LeaseServer;
/** A server that says what it likes. */
const liar = createServer((request, response) => {
  response
    .setHeader('content-type', 'application/problem+json')
    .writeHead(request.url === '/pool' ? 418 : 400);
  response.end(JSON.stringify({ status: 400, code: HOSTILE, title: HOSTILE, detail: HOSTILE }));
});
const liarUrl = () => `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;

beforeAll(async () => {
  [sandbox, server] = await Promise.all([createSandbox(), startLeaseServer()]);
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  await server.acquire('orders', { host: HOSTILE, [`k${HOSTILE}`.slice(0, 20)]: 'v', process: HOSTILE });
  writeFileSync(join(sandbox.folder, 'hostile.txt'), `${HOSTILE}\n5\n${HOSTILE}\n`);
  writeFileSync(join(sandbox.folder, 'config.json'), JSON.stringify({ [HOSTILE]: 1 }));
});
afterAll(async () => {
  liar.close();
  await server.dispose();
  sandbox.dispose();
});

const COMMANDS: [line: string, args: () => string[], input?: string][] = [
  ['an unknown command', () => [`frob${HOSTILE}`]],
  ['an unknown option', () => ['uuid', `--${HOSTILE}`]],
  ['a wrong choice', () => ['uuid', HOSTILE]],
  ['a wrong count', () => ['uuid', '-n', HOSTILE]],
  ['a wrong time', () => ['uuid', '--at', HOSTILE]],
  ['inspect', () => ['inspect', HOSTILE]],
  ['inspect as', () => ['inspect', '5', '--as', HOSTILE]],
  ['inspect around an ID', () => ['inspect', `"${HOSTILE}": "01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa"`]],
  [
    'inspect a prefix',
    () => ['inspect', `https://x.example/${HOSTILE}/01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa`],
  ],
  ['inspect of a stream', () => ['inspect'], `${HOSTILE}\n`],
  ['validate', () => ['validate', HOSTILE]],
  ['validate of a stream', () => ['validate'], `${HOSTILE}\n`],
  ['external encode', () => ['external', 'encode', HOSTILE]],
  ['external decode', () => ['external', 'decode', HOSTILE]],
  ['estelle decode', () => ['estelle', 'decode', HOSTILE]],
  ['estelle encode', () => ['estelle', 'encode', HOSTILE, 'pylon', '3']],
  ['verify', () => ['verify', 'hostile.txt']],
  ['verify of a missing file', () => ['verify', HOSTILE]],
  ['next', () => ['next', '--url', `http://${HOSTILE}`]],
  ['next from a liar', () => ['next', '--url', liarUrl()]],
  ['pool status', () => ['pool', 'status', '--url', server.url]],
  ['pool status of a liar', () => ['pool', 'status', '--url', liarUrl()]],
  ['pool list', () => ['pool', 'list', '--url', server.url]],
  ['pool list --all', () => ['pool', 'list', '--all', '--url', server.url]],
  ['pool watch', () => ['pool', 'watch', '--url', server.url]],
  ['pool create', () => ['pool', 'create', '--yes', '--pool', HOSTILE, '--url', server.url]],
  ['whois', () => ['whois', '115601729126467849', HOSTILE, '--url', server.url]],
  ['serve', () => ['serve', '--config', 'config.json']],
  ['serve with a store', () => ['serve', '--store', `sqlite:/nowhere/${HOSTILE}`, '--check']],
  ['serve with another store', () => ['serve', '--store', HOSTILE, '--check']],
];

/** As text, as JSON, and in colours where there are some. */
function variantsOf(args: () => string[]): string[][] {
  const command = String(args);
  // With --json it goes on and on.
  const json = command.includes('watch') || command.includes("'serve'") ? [] : [['--json']];
  return [[], ...json, ...(/inspect|validate|pool|verify/.test(command) ? [['--color', 'always']] : [])];
}

describe.concurrent('text of others', () => {
  for (const [title, args, input] of COMMANDS) {
    for (const more of variantsOf(args)) {
      it(`in ${[title, ...more].join(' ')}`, async ({ expect: expectHere }) => {
        const options = input === undefined ? {} : { input };
        const { stdout, stderr } = await kazahana(sandbox, [...args(), ...more], options);
        const shown = (stdout + stderr).replaceAll(more.includes('always') ? COLOR : 'none', '');
        expectHere(shown).not.toBe('');
        expectHere(RAW.exec(shown)).toBe(null);
      });
    }
  }
});

describe('16,000 characters without width', () => {
  const text = '\u200b'.repeat(16_000);

  it.each(['validate', 'inspect'])('%s takes no longer than for others', async (command) => {
    const started = performance.now();
    const { code } = await kazahana(sandbox, [command], { input: `${text}\n` });
    expect(code).toBe(1);
    // It was 161 seconds.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
