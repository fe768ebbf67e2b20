// `npm run abuse`: callers with valid tokens that try to harm the others, against a real `kazahana serve` on loopback, with
// figures; exit code 1 when a bound is broken. It fills a pool with the largest `meta`, watches it without reading, asks for many
// IDs, lies about losses, changes the layout of the full pool, and reads it again. `-- --layout 16,6` takes another change than the
// largest. Other work on the machine counts as well: run it on one that is idle.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { metricOf } from '../metric-lines.ts';
import { ServerProcess } from '../process.ts';
import { openSocket } from '../raw-socket.ts';

const { values } = parseArgs({ options: { layout: { type: 'string', default: '21,1' } } });
const [bitId = 21, bitSeq = 1] = values.layout.split(',').map(Number);

const SLOTS = 8192;
const PER_REQUEST = 16;
const WATCHERS = 100;
const WATCHERS_PER_TOKEN = 20;
const MB = 1024 * 1024;
/** The longest that a call may take: a change of layout. */
const CALL_MS = 120_000;
/** As JSON nearly 1,024 bytes. */
const META = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 'x'.repeat(248)]));

const folder = mkdtempSync(join(tmpdir(), 'kazahana-abuse-'));
const database = join(folder, 'leases.db');
const config = join(folder, 'config.json');
const secretOf = (name: string) => `token-of-${name}-0123456789`;
const names = ['crowd', 'other', 'operator', ...Array.from({ length: 5 }, (_, i) => `watcher-${i}`)];
const tokens = names.map((name) => ({
  name,
  token: secretOf(name),
  scopes: name === 'operator' ? ['observe', 'operate'] : ['acquire', 'observe', 'mint'],
  requestsPerSecond: name === 'crowd' ? 100_000 : 500,
}));
writeFileSync(config, JSON.stringify({ tokens }));
const server = ServerProcess.serve(['--port', '0', '--store', `sqlite:${database}`, '--config', config]);
const url = await server.url();

async function call(name: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${secretOf(name)}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(CALL_MS) });
  return { status: response.status, text: await response.text() };
}

const failures: string[] = [];
/** Prints a figure, and remembers when it is beyond its bound. */
function judge(what: string, figure: number, bound: number, unit = ''): void {
  const isFine = figure <= bound;
  console.log(
    `${isFine ? 'ok    ' : 'BROKEN'} ${what}: ${Math.round(figure * 10) / 10}${unit} (bound ${bound}${unit})`,
  );
  if (!isFine) failures.push(what);
}

/** Calls /livez all the time while something happens: what another caller feels of it. */
async function whileProbing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  await call('operator', '/metrics');
  const times: number[] = [];
  let isOver = false;
  const probe = async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(`${url}/livez`)).text();
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const probing = probe();
  const result = await work().finally(() => {
    isOver = true;
  });
  await probing;
  const { text } = await call('operator', '/metrics');
  judge(`${what}: /livez at most`, Math.max(...times), 100, ' ms');
  const longestStall = metricOf(text, 'nodejs_eventloop_lag_max_seconds') ?? Number.POSITIVE_INFINITY;
  judge(`${what}: stall of the event loop at most`, longestStall * 1000, 50, ' ms');
  judge(`${what}: resident memory`, (metricOf(text, 'process_resident_memory_bytes') ?? 0) / MB, 400, ' MB');
  return result;
}

const acquire = { throughputPerMs: PER_REQUEST * 256, meta: META };
const large = await call('crowd', '/lease', { ...acquire, meta: { ...META, e: 'x' } });
judge('a meta of more than 1 KiB is served', large.status === 400 ? 0 : 1, 0);
let granted = 0;
await whileProbing('filling the pool', async () => {
  for (let i = 0; i < SLOTS / PER_REQUEST; i++)
    granted += (await call('crowd', '/lease', acquire)).status === 200 ? 1 : 0;
});
judge('acquires that were refused', SLOTS / PER_REQUEST - granted, 0);
judge('size of the database', statSync(database).size / MB, 40, ' MB');

/** Reads all pages of the pool. */
async function readAll(): Promise<void> {
  let [after, pages, bytes, leases] = [-1, 0, 0, 0];
  for (let next: number | null = 0; next !== null; ) {
    const { text } = await call('other', `/pool${after < 0 ? '' : `?after=${after}`}`);
    const page = JSON.parse(text) as { leases: unknown[]; next: number | null };
    bytes = Math.max(bytes, text.length);
    leases += page.leases.length;
    pages++;
    next = page.next;
    after = next ?? after;
  }
  judge('leases that are not in the pages', SLOTS - leases, 0);
  judge(`the largest of ${pages} pages`, bytes / MB, 1.5, ' MB');
}
await whileProbing('reading the full pool', readAll);

await whileProbing('an idle server', () => new Promise((resolve) => setTimeout(resolve, 6000)));

await whileProbing(`${WATCHERS} watchers that do not read`, async () => {
  const sockets: Awaited<ReturnType<typeof openSocket>>[] = [];
  for (let i = 0; i < WATCHERS; i++) {
    const token = secretOf(`watcher-${Math.floor(i / WATCHERS_PER_TOKEN)}`);
    const head = `GET /pool/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;
    const opened = await openSocket(url, head);
    opened.socket.pause();
    sockets.push(opened);
  }
  await new Promise((resolve) => setTimeout(resolve, 8000));
  // HEAD has the status of a stream and no stream.
  const headers = { authorization: `Bearer ${secretOf('watcher-0')}` };
  const more = await fetch(`${url}/pool/events`, { method: 'HEAD', headers });
  judge('one more watcher of a token is served', more.status === 429 ? 0 : 1, 0);
  for (const { socket } of sockets) socket.destroy();
});

await whileProbing('forty requests for 10,000 IDs', async () => {
  const many = Array.from({ length: 40 }, () => call('other', '/ids', { count: 10_000 }));
  const began = performance.now();
  const { status } = await call('operator', '/pool?limit=0');
  judge('a request of another caller is refused', status === 200 ? 0 : 1, 0);
  judge('it takes', performance.now() - began, 500, ' ms');
  await Promise.all(many);
});

const lie = (i: number) =>
  call('other', '/lease', { seen: { pool: i.toString(16).padStart(32, '0'), serial: 2 ** 52 } });
for (let i = 0; i < 500; i++) await lie(i);
const pool = JSON.parse((await call('operator', '/pool?limit=0')).text).pool as {
  serial: number;
  quarantinedUntil: number;
};
judge('a pool is stopped by lies', pool.quarantinedUntil, 0);
judge('its serial', pool.serial, 10 * SLOTS);

await whileProbing(`a change of the full pool to ${bitId} + ${bitSeq} bits`, async () => {
  const began = performance.now();
  const { status, text } = await call('operator', '/pool/layout', { bitId, bitSeq });
  judge('it is refused', status === 200 ? 0 : 1, 0);
  if (status !== 200) console.log(text);
  console.log(`       it took ${Math.round(performance.now() - began)} ms`);
});
await whileProbing('reading the pool after that', readAll);

server.signal('SIGTERM');
judge('exit code', (await server.exited).code ?? 1, 0);
rmSync(folder, { recursive: true, force: true });
if (failures.length > 0) {
  console.log(`${failures.length} bounds broken: ${failures.join('; ')}`);
  process.exitCode = 1;
}
