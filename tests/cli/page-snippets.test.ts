// What the page offers as code, for the command line, TypeScript and curl, is run as it stands: the lines of a shell in
// a shell, the library's as a module, against a real server where they speak to one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeClientId, encodeConversationId, encodePylonId, encodeWorkspaceId } from 'kazahana/estelle';
import { createExternalIdCodec } from 'kazahana/external';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAIN } from '../../packages/web/src/app/many/forms.ts';
import { DEFAULT_CHOICE } from '../../packages/web/src/app/sixty-four/external-choice.ts';
import { KINDS } from '../../packages/web/src/app/state/generating.ts';
import * as snippets from '../../packages/web/src/app/state/snippets.ts';
import { root } from '../../scripts/run.ts';
import { type LeaseServer, startLeaseServer } from './lease-server.ts';
import { createSandbox, type Sandbox, shell } from './sandbox.ts';

const UUID = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
const ID = '115892101120000263';
/** Of the second day of the default epoch. */
const PAST = 86_400_000n << 22n;
const LAYOUT = { customEpoch: 1767225600000, bitReserve: 1, bitTs: 41, bitId: 10, bitSeq: 12 };
const CONFIGURATION = JSON.stringify({ pools: { default: LAYOUT } });
const SECRET = 'a secret of ours';

const codec = (algorithm: 'mix' | 'xtea' | 'none') =>
  createExternalIdCodec(algorithm === 'xtea' ? { algorithm, secret: SECRET } : { algorithm });
const external = (algorithm: 'mix' | 'xtea' | 'none') =>
  snippets.externalSnippets(ID, codec(algorithm).toExternalId(BigInt(ID)), { ...DEFAULT_CHOICE, algorithm });

const PYLON = encodePylonId(2, 3);
const WORKSPACE = encodeWorkspaceId(PYLON, 5);
const DRESSED = { ...PLAIN, uppercase: true, withHyphens: false, wrap: 'urn' } as const;

/** Where the page says the server is when it has none; each test puts its own server there. */
const SERVER = 'http://127.0.0.1:7420';

const SNIPPETS = Object.entries({
  ...Object.fromEntries(
    KINDS.map((kind) => [`generate ${kind}`, snippets.generateSnippets(kind, 3, PLAIN, 'random', SERVER)]),
  ),
  'generate v7 with a session': snippets.generateSnippets('v7', 2, PLAIN, 'session', SERVER),
  'generate one, dressed': snippets.generateSnippets('v4', 1, DRESSED, 'random', SERVER),
  'inspect a UUID': snippets.inspectSnippets(UUID, 'uuid-v7', SERVER),
  'inspect two UUIDs': snippets.inspectSnippets(`${UUID} ${UUID}`, undefined, SERVER),
  'inspect a number': snippets.inspectSnippets(ID, 'kazahana-id', SERVER),
  log: snippets.logSnippets,
  'external, mixed': external('mix'),
  'external, with a secret': external('xtea'),
  'external, as it is': external('none'),
  'Estelle pylon': snippets.estelleSnippets('pylon', PYLON),
  'Estelle client': snippets.estelleSnippets('client', encodeClientId(0, 7)),
  'Estelle workspace': snippets.estelleSnippets('workspace', WORKSPACE),
  'Estelle conversation': snippets.estelleSnippets('conversation', encodeConversationId(WORKSPACE, 9)),
  layout: snippets.layoutSnippets(CONFIGURATION, JSON.stringify(LAYOUT)),
  pool: snippets.poolSnippets(SERVER),
  history: snippets.historySnippets,
});

/** What goes on until it is stopped is stopped when it has said something. */
const finite = (line: string) =>
  line
    .replace(/^kazahana serve (.*)$/, 'kazahana serve --store memory: --check $1')
    // A server that has just started does not know the maker of an older ID, and says so with exit 1.
    .replace(/^(kazahana whois .*)$/, '{ $1 || test $? = 1; }')
    .replace(/^(curl -N .*)$/, '{ $1 --max-time 1 || test $? = 28; }');

describe('the same as on the page', () => {
  let sandbox: Sandbox;
  let server: LeaseServer;
  const modules = join(root, 'tests/.work/page-snippets');
  const atHome = (text: string) => text.replaceAll('http://127.0.0.1:7420', server.url);
  beforeAll(async () => {
    server = await startLeaseServer();
    sandbox = await createSandbox({ KAZAHANA_EXTERNAL_SECRET: SECRET });
    writeFileSync(join(sandbox.folder, 'server.log'), `GET /${UUID}\nGET /${ID}\n`);
    writeFileSync(join(sandbox.folder, 'kazahana.json'), CONFIGURATION);
    writeFileSync(join(sandbox.folder, 'ids.txt'), `${PAST}\n${PAST + 1n}\n`);
    mkdirSync(modules, { recursive: true });
  });
  afterAll(async () => {
    sandbox.dispose();
    await server.dispose();
  });

  const lines = (text: string) =>
    atHome(text)
      .split('\n')
      .filter((line) => !line.startsWith('#'));

  for (const [title, { cli, library, curl }] of SNIPPETS) {
    it.concurrent(`${title}: in a shell`, async () => {
      for (const line of [...lines(cli), ...lines(curl ?? '')].filter((text) => text !== '')) {
        const { code, stdout, stderr } = await shell(sandbox, finite(line));
        expect({ line, code, isSilent: `${stdout}${stderr}` === '' }).toEqual({
          line,
          code: 0,
          isSilent: false,
        });
      }
    });

    it.concurrent(`${title}: as a module`, async () => {
      const path = join(modules, `${title.replace(/\W+/g, '-')}.ts`);
      // What a page has around it.
      const around = `const log = '${UUID}';\nconst localStorage = { getItem: () => null, setItem() {} };\n`;
      const [imports = '', ...code] = atHome(library).split('\n\n');
      writeFileSync(path, `${imports}\n${around}${code.join('\n\n')}\nconsole.log('done');\nexport {};\n`);
      const { code: exit, stdout, stderr } = await shell(sandbox, `"${process.execPath}" "${path}"`);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(stdout).toMatch(/done\n$/);
    });
  }
});
