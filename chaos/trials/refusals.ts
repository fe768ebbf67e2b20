// `refusals`: one server whose operator makes mistakes and mends them, and which then fails, with six processes that
// lease from it, and one that starts while the fault lasts. Only outages may lead to random IDs, never without a warning, and every client recovers by itself.
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_ID_LAYOUT } from 'kazahana';
import { ServerProcess } from '../../tests/server/process.ts';
import { dataFolder, freePort } from '../../tests/services/process.ts';
import { check, type Maker } from '../checker/check.ts';
import { suffixOf, timeOf } from '../checker/id.ts';
import { type Kind, kindIn } from '../checker/kinds.ts';
import { forkMakers, until } from '../fleet.ts';
import type { MakerCommand, MakerOptions } from '../maker-process.ts';
import { makerNames, readEvents, readMakers } from '../records.ts';
import { TOKEN } from '../servers.ts';
import { REAL_STORES } from '../stores.ts';
import {
  type ClientRecord,
  findingsOf,
  LEGEND,
  MAX_RECOVERY_MS,
  type Phase,
  tableOf,
} from './phase-report.ts';
import { byRule, type Trial } from './summary.ts';

const SERVICE = { leaseDuration: 3000, fallbackGrace: 3000 };
const WINDOW_MS = SERVICE.leaseDuration + SERVICE.fallbackGrace;
/** Shorter phases would end before clients notice a server that hangs: an attempt may take 5 s. */
const MIN_SECONDS = 10;
const START_MS = 20_000;

interface Client {
  readonly name: string;
  readonly settings: MakerOptions['client'];
  readonly forbidden: readonly Kind[];
  /** The fault that it starts in. */
  readonly only?: string;
}
const WIDE = { maxThroughputPerMs: 1024 };
const CLIENTS: readonly Client[] = [
  ...['default-1', 'default-2', 'default-3'].map((name) => ({ name, settings: {}, forbidden: [] })),
  // Four leases of 256 IDs a millisecond.
  { name: 'wide', settings: WIDE, forbidden: [] },
  { name: 'no-random', settings: { disableRandomFallback: true }, forbidden: ['random'] },
  { name: 'no-fallback', settings: { disableFallback: true }, forbidden: ['fenced', 'random'] },
];

const tokenOf = (name: string, token: string) => ({ name, token, scopes: ['acquire'] });
// Without any token a server on loopback is open to all.
const OTHER = tokenOf('other', 'other-0123456789abcdef');
const OLD = tokenOf('maker', TOKEN);
const NEW = tokenOf('maker-new', 'rotated-0123456789abcdef');
const HEALTHY = { services: { default: SERVICE }, tokens: [OTHER, OLD] };
const LIMITED = { ...SERVICE, maxLeasesPerRequest: 1 };
const RENAMED = { ...SERVICE, pool: 'renamed', customEpoch: DEFAULT_ID_LAYOUT.customEpoch + 1000 };

type Fault = Pick<Phase, 'name' | 'kind' | 'sign'> & {
  begin(server: Server): Promise<void>;
  mend(server: Server): Promise<void>;
};
const configured = (
  [name, sign]: readonly [name: string, sign: string],
  fault: Partial<typeof HEALTHY>,
  mended: Partial<typeof HEALTHY> = {},
): Fault => ({
  ...{ name, sign, kind: 'refusal' },
  begin: (server) => server.restart({ ...HEALTHY, ...fault }),
  mend: (server) => server.restart({ ...HEALTHY, ...mended }),
});
const FAULTS: readonly Fault[] = [
  configured(['the token is revoked', 'UNAUTHORIZED'], { tokens: [OTHER] }),
  configured(
    ['the token is rotated', 'UNAUTHORIZED'],
    { tokens: [OTHER, NEW] },
    { tokens: [OTHER, NEW, OLD] },
  ),
  configured(['the limit of leases is lowered', 'limited'], { services: { default: LIMITED } }),
  configured(['the service has another pool', 'POOL_MISMATCH'], { services: { default: RENAMED } }),
  {
    ...{ name: 'the server is down', kind: 'outage', sign: 'UNREACHABLE' },
    begin: (server) => server.kill(),
    mend: (server) => server.start(),
  },
  {
    ...{ name: 'the server hangs', kind: 'outage', sign: 'TIMEOUT' },
    begin: async (server) => server.signal('SIGSTOP'),
    mend: async (server) => server.signal('SIGCONT'),
  },
];

/**
 * Clients that start while the server has a fault. They ask for four leases at once; the others renew one at a time. One
 * that starts with another pool would be right to use it.
 */
const NEWCOMERS: readonly Client[] = FAULTS.filter(({ sign }) => sign !== 'POOL_MISMATCH').map(
  ({ name }, at) => ({ name: `new-${at + 1}`, settings: WIDE, forbidden: [], only: name }),
);

/** One `kazahana serve` on a port of its own, that can be started again with another configuration. */
class Server {
  #process: ServerProcess | undefined;
  readonly #port: number;
  readonly #file: string;
  readonly #store: string;

  constructor(port: number, file: string, store: string) {
    [this.#port, this.#file, this.#store] = [port, file, store];
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(config?: object): Promise<void> {
    // Each start may name another pool.
    const whole = { store: this.#store, createPools: 'auto', ...config };
    if (config) await writeFile(this.#file, JSON.stringify(whole));
    this.#process = ServerProcess.serve(['--port', String(this.#port), '--config', this.#file]);
    await this.#process.url();
  }

  /** As an operator does it: in order. */
  async restart(config: object): Promise<void> {
    await this.stop();
    await this.start(config);
  }

  async stop(): Promise<void> {
    this.signal('SIGTERM');
    await this.#process?.exited;
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.signal(signal);
  }
}

/** Starts clients, each in a process of its own, and tells how to end each; notes which have ended by themselves. */
function clientStarter(server: string, folder: string, seed: number, crashed: string[]) {
  let started = 0;
  return ({ name, settings }: Client): (() => Promise<void>) => {
    const child = forkMakers(`chaos-${started}`);
    const source = { server, token: TOKEN };
    const start = { name, source, engine: {}, client: settings, folder, seed: seed + started++ };
    child.send({ start } satisfies MakerCommand);
    let isEnding = false;
    child.on('exit', (code, signal) => {
      if (!isEnding || code !== 0) crashed.push(`${name} ended with ${signal ?? code}`);
    });
    return async () => {
      isEnding = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    };
  };
}

async function runPhase(
  fault: Fault,
  server: Server,
  ms: number,
  startClient: ReturnType<typeof clientStarter>,
): Promise<Phase> {
  const { name, kind, sign } = fault;
  const began = Date.now();
  await fault.begin(server);
  const outlasted = Date.now() + WINDOW_MS;
  const ends = NEWCOMERS.filter(({ only }) => only === name).map(startClient);
  await sleep(ms);
  const mending = Date.now();
  await fault.mend(server);
  const mended = Date.now();
  await sleep(Math.max(ms, MAX_RECOVERY_MS));
  const ended = Date.now();
  await Promise.all(ends.map((end) => end()));
  return { name, kind, sign, began, outlasted, mending, mended, ended };
}

/** When each ID was made, and of which kind it is. */
function timed({ pieces, clients }: Maker): ClientRecord['made'] {
  const kindOf = kindIn(clients[0]?.windows ?? []);
  return [...pieces()].flatMap((words) =>
    Array.from({ length: words.length / 2 }, (_, place) => {
      const [low = 0, high = 0] = words.subarray(2 * place);
      const at = DEFAULT_ID_LAYOUT.customEpoch + timeOf(low, high);
      return { at, kind: kindOf(at, suffixOf(low)) };
    }),
  );
}

export async function refusals({ trial, store: storeName, seconds = 12, seed, began, say }: Trial) {
  if (seconds < MIN_SECONDS) throw new RangeError(`--seconds must be ${MIN_SECONDS} or more, got ${seconds}`);
  const folder = await dataFolder('chaos');
  const store = await REAL_STORES[storeName]();
  const server = new Server(await freePort(), join(folder, 'server.config'), store.url);
  await server.start(HEALTHY);
  const crashed: string[] = [];
  const startClient = clientStarter(server.url, folder, seed, crashed);
  const ends = CLIENTS.map(startClient);
  const haveStarted = () =>
    makerNames(folder).length === CLIENTS.length &&
    CLIENTS.every(({ name }) => readEvents(folder, name).some(({ kind }) => kind === 'lease'));
  const findings = (await until(haveStarted, START_MS)) ? [] : ['not every client has a lease at the start'];
  const phases: Phase[] = [];
  for (const fault of FAULTS) {
    say(`${Math.round((Date.now() - began) / 1000)} s: ${fault.name}`);
    phases.push(await runPhase(fault, server, seconds * 1000, startClient));
  }
  await Promise.all(ends.map((end) => end()));
  await server.stop();
  await store.stop();

  const makers = readMakers(folder);
  const { ids, broken, violations } = check(makers, DEFAULT_ID_LAYOUT.customEpoch);
  const clients = [...CLIENTS, ...NEWCOMERS].map(({ name, forbidden, only }): ClientRecord => {
    const maker = makers.find((one) => one.name === name);
    return { name, forbidden, only, made: maker ? timed(maker) : [], events: readEvents(folder, name) };
  });
  findings.push(...crashed, ...byRule({ broken, violations }), ...findingsOf(phases, clients));
  const isFine = findings.length === 0;
  if (isFine) await rm(folder, { recursive: true, force: true });
  return {
    ...{ trial, store: storeName, seed, seconds: Math.round((Date.now() - began) / 1000), checked: ids },
    phases: [...phases.flatMap((phase) => [...tableOf(phase, clients), '']), LEGEND],
    notes: isFine ? [] : [`all events and IDs are in ${folder}`],
    ...{ isFine, findings },
  };
}
