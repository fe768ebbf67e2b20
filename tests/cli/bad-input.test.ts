// What is wrong, and what is said to it: exit code and message, a row for each. Nothing is clamped, guessed or rounded.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../services/process.ts';
import { type LeaseServer, startLeaseServer } from './lease-server.ts';
import { createSandbox, kazahana, type RunOptions, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
let server: LeaseServer;
let closedPort: string;
const stranger = createServer((_request, response) => response.end('<html>'));

beforeAll(async () => {
  // One machine ID, which is taken.
  const services = { default: { bitId: 1, bitSeq: 21, leaseDuration: 600_000 } };
  [sandbox, server] = await Promise.all([createSandbox(), startLeaseServer({ services })]);
  await server.acquire('default');
  closedPort = `http://127.0.0.1:${await freePort()}`;
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  stranger.close();
  await server.dispose();
  sandbox.dispose();
});

/** Places that are known only when the servers run. */
const place = (text: string) =>
  text
    .replace('SERVER', () => server.url)
    .replace('CLOSED_PORT', () => closedPort)
    .replace('STRANGER', () => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`);

/** The whole text, or what must be in it. */
type Text = string | RegExp;
type Row = readonly [args: string, code: number, stderr: Text, more?: RunOptions & { stdout?: Text }];

const COUNT = 'must be a whole number from 1 to 9007199254740991, got';
const TIME = 'must be a time like 2026-11-16T12:00:00Z, Unix milliseconds, or now; got';
const EPOCHS =
  '--epoch must be one of kazahana, twitter, discord, instagram, unix, or a time like 2026-01-01T00:00:00Z; got';
const ID = 'an ID is a whole number from 0 to 2^64 - 1, got';
const EMPTY_SECRET = 'KAZAHANA_EXTERNAL_SECRET is set but empty: give it a secret, or unset it\n';
const NO_PLACE = 'a password has no place in --store: put the URL into KAZAHANA_STORE, and say --store alone';

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  'the command line': [
    ['uuids', 2, "kazahana: unknown command 'uuids'\n(Did you mean uuid?)\n"],
    ['inspct 5', 2, "kazahana: unknown command 'inspct'\n(Did you mean inspect?)\n"],
    [
      'pool statu',
      2,
      "kazahana: unknown command 'statu'\n(Did you mean status?)\n(kazahana pool --help lists its commands)\n",
    ],
    [
      'external encod 5',
      2,
      "kazahana: unknown command 'encod'\n(Did you mean encode?)\n(kazahana external --help lists its commands)\n",
    ],
    ['external 7', 2, "kazahana: unknown command '7'\n(kazahana external --help lists its commands)\n"],
    [
      'external --prefix user',
      2,
      "kazahana: unknown option '--prefix'\n(kazahana external --help lists its commands)\n",
    ],
    ['frobnicate', 2, "kazahana: unknown command 'frobnicate'\n"],
    ['uuid --uper', 2, "kazahana: unknown option '--uper'\n(Did you mean --upper?)\n"],
    ['--colour always uuid', 2, "kazahana: unknown option '--colour'\n(Did you mean --color?)\n"],
    [
      'uuid --color sometimes',
      2,
      "kazahana: option '--color <when>' argument 'sometimes' is invalid. Allowed choices are auto, always, never.\n",
    ],
    ['uuid v4 v7', 2, "kazahana: too many arguments for 'uuid'. Expected 1 argument but got 2.\n"],
    ['inspect', 2, 'kazahana inspect: no IDs: name some, or pipe them in, one a line\n'],
    ['validate', 2, 'kazahana validate: no texts: name some, or pipe them in, one a line\n'],
    ['versoin', 2, "kazahana: unknown command 'versoin'\n(Did you mean version?)\n"],
    ['5 --jsn', 2, "kazahana: unknown option '--jsn'\n(Did you mean --json?)\n"],
    ['uuid -n', 2, "kazahana: option '-n, --count <number>' argument missing\n"],
  ],
  uuid: [
    ['uuid -n 0', 2, `kazahana uuid: --count ${COUNT} "0"\n`],
    ['uuid -n -1', 2, `kazahana uuid: --count ${COUNT} "-1"\n`],
    ['uuid -n 1.5', 2, `kazahana uuid: --count ${COUNT} "1.5"\n`],
    ['uuid -n 1e3', 2, `kazahana uuid: --count ${COUNT} "1e3"\n`],
    ['uuid -n 1e9999', 2, `kazahana uuid: --count ${COUNT} "1e9999"\n`],
    ['uuid -n 9007199254740992', 2, `kazahana uuid: --count ${COUNT} "9007199254740992"\n`],
    ['uuid -n many', 2, `kazahana uuid: --count ${COUNT} "many"\n`],
    [
      'uuid v5',
      2,
      "kazahana: command-argument value 'v5' is invalid for argument 'version'. Allowed choices are v1, v4, v7.\n",
    ],
    ['uuid --at yesterday', 2, `kazahana uuid: --at ${TIME} "yesterday"\n`],
    ['uuid --at 2026-02-30', 2, `kazahana uuid: --at ${TIME} "2026-02-30"\n`],
    ['uuid --at 1794787200', 2, `kazahana uuid: --at ${TIME} "1794787200"\n`],
    ['uuid --at 0001-01-01', 2, 'kazahana uuid: --at: a v7 holds the times from 1970 to 10889\n'],
    ['uuid --max 281474976710656', 2, 'kazahana uuid: --max: a v7 holds the times from 1970 to 10889\n'],
    ['uuid v4 --at now', 2, 'kazahana uuid: --at, --min and --max are for v7, which begins with its time\n'],
    ['uuid --at now --min now', 2, 'kazahana uuid: take one of --at, --min and --max\n'],
    [
      'uuid --min now -n 2',
      2,
      'kazahana uuid: --min and --max give one UUID; --count has no place beside them\n',
    ],
    ['uuid --braces --urn', 2, 'kazahana uuid: take one of --braces and --urn\n'],
  ],
  next: [
    ['next -n 0', 2, `kazahana next: --count ${COUNT} "0"\n`],
    ['next -n 1.5', 2, `kazahana next: --count ${COUNT} "1.5"\n`],
    ['next --url SERVER --store memory:', 2, 'kazahana next: take one of --url and --store\n'],
    [
      'next --url localhost:7420',
      2,
      'kazahana next: --url must begin with http:// or https://, got "localhost:7420"\n',
    ],
    [
      'next --url http://me:hush@127.0.0.1',
      2,
      'kazahana next: a password has no place in --url: a token belongs into KAZAHANA_TOKEN\n',
    ],
    ['next --store redis://me:hush@127.0.0.1', 2, `kazahana next: ${NO_PLACE}\n`],
    [
      'next --store',
      2,
      'kazahana next: --store without a URL takes that of KAZAHANA_STORE, which is not set\n',
    ],
    ['next --store mysql://127.0.0.1', 2, /^kazahana next: there is no store "mysql:"; there are sqlite/],
    [
      'next --store sqlite:',
      2,
      'kazahana next: the store sqlite: needs a file, as in sqlite:./kazahana.db\n',
    ],
    ['next --url CLOSED_PORT', 3, 'kazahana next: no lease server responds at CLOSED_PORT\n'],
    ['next --url STRANGER', 3, /^kazahana next: .+\n$/],
    [
      'next --url SERVER',
      4,
      /^kazahana next: pool default: every slot is held; the next slot frees in \d+ ms\n$/,
    ],
    [
      'next --external --ask-secret',
      2,
      'kazahana next: --ask-secret needs a terminal; or set KAZAHANA_EXTERNAL_SECRET\n',
    ],
    [
      'next --external',
      2,
      `kazahana next: ${EMPTY_SECRET}`,
      { environment: { KAZAHANA_EXTERNAL_SECRET: '' } },
    ],
  ],
  inspect: [
    ['inspect nothing', 1, '  nothing\n  UNKNOWN_ID: no known format is written like this\n'],
    [
      'inspect 18446744073709551616',
      1,
      /^ {2}18446744073709551616\n {2}UNKNOWN_ID: no known format is written like this; closest: \S/,
    ],
    ['inspect 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaag', 1, /\n {2} {35}\^\n {2}INVALID_HEX: /],
    ['inspect 5 --as uuid-v7', 1, '  5\n  NOT_AS_CHOSEN: it cannot be read as uuid-v7\n'],
    [
      'inspect 5 --as twiter',
      2,
      /^kazahana inspect: --as has no format "twiter" \(did you mean twitter\?\); --formats lists all\n$/,
    ],
    [
      'inspect 5 --as estelle',
      2,
      'kazahana inspect: --as has no format "estelle" (did you mean estelle-conversation, estelle-workspace, estelle-client, estelle-pylon?); --formats lists all\n',
    ],
    ['inspect 5 --epoch twiter', 2, `kazahana inspect: ${EPOCHS} "twiter"\n`],
    ['inspect 5 --epoch 2026', 2, `kazahana inspect: ${EPOCHS} "2026"\n`],
    [
      'inspect 5 --epoch 0001-01-01',
      2,
      /^kazahana inspect: customEpoch must be an integer from 0 to \d+, got -/,
    ],
    [
      'inspect 5 --bits 1,41,14',
      2,
      'kazahana inspect: --bits must be four widths: reserve,timestamp,machine,sequence, as in 1,41,14,8\n',
    ],
    [
      'inspect 5 --bits 1,41,14,9',
      2,
      /^kazahana inspect: bitReserve \+ bitTs \+ bitId \+ bitSeq must be .*got 65/,
    ],
    [
      'inspect 5 --ask-secret',
      2,
      'kazahana inspect: --ask-secret needs a terminal; or set KAZAHANA_EXTERNAL_SECRET\n',
    ],
    ['inspect 5', 2, `kazahana inspect: ${EMPTY_SECRET}`, { environment: { KAZAHANA_EXTERNAL_SECRET: '' } }],
    ['nothing-of-ours 5', 2, "kazahana: unknown command 'nothing-of-ours'\n"],
    ['Nothing', 1, /^ {2}Nothing\n {2}UNKNOWN_ID: /],
    [
      'inspect -',
      1,
      'line 2: no ID in nothing here\n',
      { input: '5\nnothing here\n', stdout: /^5 {2}\S.*\n$/ },
    ],
    ['inspect --json', 1, 'line 1: no ID in nothing here\n', { input: 'nothing here\n' }],
    [
      'inspect --json nothing',
      1,
      '',
      {
        stdout:
          '{"input":"nothing","error":{"code":"UNKNOWN_ID","message":"no known format is written like this"}}\n',
      },
    ],
  ],
  validate: [
    ['validate nonsense -q', 1, ''],
    // One that is right does not make up for one that is wrong.
    ['validate -q nonsense 919108f7-52d1-4320-9bac-f847db4148a8', 1, ''],
    ['validate - -q', 1, '', { input: '919108f7-52d1-4320-9bac-f847db4148a8\nnonsense\n' }],
    ['validate -q --json nonsense', 1, ''],
  ],
  external: [
    ['external encode 18446744073709551616', 1, `kazahana external encode: ${ID} "18446744073709551616"\n`],
    ['external encode -- -5', 1, `kazahana external encode: ${ID} "-5"\n`],
    ['external encode 1.5', 1, `kazahana external encode: ${ID} "1.5"\n`],
    [
      'external encode x --json',
      1,
      '',
      { stdout: `{"input":"x","error":{"code":"OUT_OF_RANGE","message":"${ID} \\"x\\""}}\n` },
    ],
    ['external decode short', 1, /^kazahana external decode: .*\n$/],
    ['external decode ASNFZ4mrze9', 1, /^kazahana external decode: .*\n$/],
    [
      'external encode 5 --algorithm rot13',
      2,
      "kazahana: option '--algorithm <name>' argument 'rot13' is invalid. Allowed choices are none, mix, xtea.\n",
    ],
    [
      'external encode 5 --algorithm xtea',
      2,
      'kazahana external encode: xtea needs a secret: set KAZAHANA_EXTERNAL_SECRET, or use --ask-secret or --secrets-file\n',
    ],
    ['external encode 5 --secret hush', 2, /^kazahana: unknown option '--secret'\n/],
    [
      'external encode 5 --secrets-file missing.json',
      2,
      'kazahana external encode: --secrets-file: missing.json cannot be read (ENOENT)\n',
    ],
    [
      'external encode 5 --secrets-file secret.txt',
      2,
      'kazahana external encode: --secrets-file must be a JSON object like { "current": "b", "secrets": { "a": "…", "b": "…" } }; "secret.txt" is not JSON\n',
    ],
    ['external encode 5 --prefix User', 2, /^kazahana external encode: prefix must be 1 to 32 characters/],
    ['external decode user_rmWMOny8JZo --prefix order', 1, /^kazahana external decode: .*\n$/],
    [
      'external encode 5 --ask-secret',
      2,
      'kazahana external encode: --ask-secret needs a terminal; or set KAZAHANA_EXTERNAL_SECRET\n',
    ],
    [
      'external encode 5',
      2,
      `kazahana external encode: ${EMPTY_SECRET}`,
      { environment: { KAZAHANA_EXTERNAL_SECRET: '' } },
    ],
    [
      'external decode rmWMOny8JZo',
      2,
      `kazahana external decode: ${EMPTY_SECRET}`,
      { environment: { KAZAHANA_EXTERNAL_SECRET: '' } },
    ],
  ],
  estelle: [
    [
      'estelle encode 2',
      2,
      'kazahana estelle encode: the levels are: environment, pylon or client, device, workspace, conversation\n',
    ],
    [
      'estelle encode 2 pylon 3 5 9 1',
      2,
      'kazahana estelle encode: the levels are: environment, pylon or client, device, workspace, conversation\n',
    ],
    [
      'estelle encode 2 pilon 3',
      2,
      'kazahana estelle encode: the type must be pylon or client, got "pilon"\n',
    ],
    ['estelle encode 2 client 3 5', 2, 'kazahana estelle encode: a client holds no workspaces\n'],
    [
      'estelle encode 3 pylon 3',
      1,
      'kazahana estelle encode: pylonId.envId must be an integer from 0 to 2, got 3\n',
    ],
    [
      'estelle encode 2 pylon 16',
      1,
      'kazahana estelle encode: pylonId.deviceIndex must be an integer from 1 to 15, got 16\n',
    ],
    [
      'estelle encode x pylon 3',
      1,
      'kazahana estelle encode: the environment must be a whole number, got "x"\n',
    ],
    ['estelle decode 16777216', 1, 'kazahana estelle decode: 16777216 is no Estelle ID\n'],
    ['estelle decode 8786953 --as workspace', 1, 'kazahana estelle decode: 8786953 is no workspace ID\n'],
    ['estelle decode x', 1, 'kazahana estelle decode: an Estelle ID must be a whole number, got "x"\n'],
    [
      'estelle tree 67 --as planet',
      2,
      "kazahana: option '--as <level>' argument 'planet' is invalid. Allowed choices are device, workspace, conversation.\n",
    ],
    [
      'estelle decode 99 --json',
      1,
      '',
      { stdout: '{"input":"99","error":{"code":"OUT_OF_RANGE","message":"99 is no Estelle ID"}}\n' },
    ],
  ],
  verify: [
    ['verify missing.txt', 2, 'kazahana verify: there is no file missing.txt\n'],
    ['verify .', 2, 'kazahana verify: . is no file; for a pipe say -\n'],
    // A stream of nothing has nothing wrong in it.
    ['verify', 0, '', { stdout: /^IDs {12}0\n/ }],
    ['verify -', 1, '', { input: '9223372036854775807\n', stdout: /\nof the future {2}1\n/ }],
    ['verify - --json', 1, '', { input: '9223372036854775807\n', stdout: /"future":1,.*"isFine":false/ }],
    ['verify ids.txt --epoch never', 2, `kazahana verify: ${EPOCHS} "never"\n`],
    ['verify ids.txt --bits 1,41,14,9', 2, /^kazahana verify: bitReserve \+ bitTs/],
    ['verify -', 1, '', { input: 'x\n', stdout: /not an ID {6}1\n/ }],
  ],
  pool: [
    ['pool status --url CLOSED_PORT', 3, 'kazahana pool status: no lease server responds at CLOSED_PORT\n'],
    [
      'pool status --url STRANGER',
      3,
      'kazahana pool status: the response is not one of a lease server: it is not JSON\n',
    ],
    [
      'pool status --url http://10.0.0.1:1',
      2,
      'kazahana pool status: KAZAHANA_TOKEN would cross the network in clear text to http://10.0.0.1:1: use https://, or say --insecure\n',
      { environment: { KAZAHANA_TOKEN: 'a-token-of-ours' } },
    ],
    ['pool watch --url CLOSED_PORT', 3, /^kazahana pool watch: no lease server responds/],
    [
      'pool status --url ftp://127.0.0.1',
      2,
      'kazahana pool status: --url must begin with http:// or https://, got "ftp://127.0.0.1"\n',
    ],
    ['pool list --store postgres://me:hush@127.0.0.1/db', 2, `kazahana pool list: ${NO_PLACE}\n`],
    [
      'pool status --url SERVER --pool other',
      1,
      /^kazahana pool status: .*\(HTTP status 404, POOL_NOT_FOUND\)\n$/,
    ],
    [
      'pool watch --url SERVER --interval 0',
      2,
      'kazahana pool watch: --interval must be a whole number from 1 to 3600, got "0"\n',
    ],
    ['pool quarantine --url SERVER', 2, /\nkazahana pool quarantine: no terminal to ask at: say --yes\n$/],
    ['pool revoke 0 --url SERVER', 2, /\nkazahana pool revoke: no terminal to ask at: say --yes\n$/],
    ['pool layout 2 20 --url SERVER', 2, /\nkazahana pool layout: no terminal to ask at: say --yes\n$/],
    [
      'pool revoke x --url SERVER',
      2,
      'kazahana pool revoke: the machine ID must be a whole number from 0 to 1073741823, got "x"\n',
    ],
    ['pool revoke 5 --yes --url SERVER', 1, /\nkazahana pool revoke: there is no lease of machine ID 5\n$/],
    [
      'pool layout 31 5 --yes --url SERVER',
      2,
      'kazahana pool layout: bitId must be a whole number from 1 to 30, got "31"\n',
    ],
    [
      'pool layout 13 8 --yes --url SERVER',
      2,
      /^kazahana pool layout: bitReserve \+ bitTs \+ bitId \+ bitSeq must be .*got 63\n$/,
    ],
  ],
  serve: [
    [
      'serve --port 99999',
      2,
      'kazahana serve: the port must be a whole number from 0 to 65535, got "99999"\n',
    ],
  ],
  completion: [
    [
      'completion ksh',
      2,
      "kazahana: command-argument value 'ksh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n",
    ],
  ],
};

describe.concurrent('what is wrong is refused', () => {
  for (const [command, rows] of Object.entries(TABLE)) {
    describe.concurrent(command, () => {
      for (const [args, code, stderr, { stdout = '', ...options } = {}] of rows) {
        it(`${args}: ${code}`, async ({ expect: expectHere }) => {
          const result = await kazahana(sandbox, place(args).split(' '), options);
          expectHere(result.code).toBe(code);
          matches(result.stderr, stderr, expectHere);
          matches(result.stdout, stdout, expectHere);
          expectHere(result.stderr + result.stdout).not.toContain('hush@');
        });
      }
    });
  }
});

function matches(text: string, expected: Text, expectHere: typeof expect): void {
  if (typeof expected === 'string') expectHere(text).toBe(place(expected));
  else expectHere(text).toMatch(new RegExp(place(expected.source)));
}

describe('help without a command', () => {
  for (const group of [[], ['pool'], ['external'], ['estelle']]) {
    it(`${['kazahana', ...group].join(' ')} shows it on stderr, and is wrong usage`, async () => {
      const { code, stdout, stderr } = await kazahana(sandbox, group);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^Usage: kazahana/);
    });
  }
});
