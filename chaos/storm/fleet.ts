// The fleet of a storm: three servers behind a proxy, and clients in processes of their own, which can be killed, paused, and
// given another time.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../../simulation/world.ts';
import { dataFolder } from '../../tests/services/process.ts';
import type { AcquirerOptions } from '../acquirer-process.ts';
import { MovableClock } from '../clocks.ts';
import type { SourceRules } from '../controls/source-rules.ts';
import { endInOrder, forkChild, forkMakers } from '../fleet.ts';
import { HttpProxy } from '../http-proxy.ts';
import type { MakerCommand, MakerOptions } from '../maker-process.ts';
import { makerNames, readEvents } from '../records.ts';
import { MINTED_SERVICE, startServers, TOKEN } from '../servers.ts';
import type { Member } from './roster.ts';

const ACQUIRER = fileURLToPath(new URL('../acquirer-process.ts', import.meta.url));
/** Between two batches of a client: many processes share few cores. */
const PAUSE_MS = 20;
export const SERVERS = 3;
/** The last server has a clock of its own. */
export const SERVER_WITH_CLOCK = SERVERS - 1;

export interface StormFleetOptions {
  readonly storeUrl: string;
  readonly engine: MakerOptions['engine'];
  readonly roster: readonly Member[];
  readonly client: MakerOptions['client'];
  readonly seed: number;
  /** Whether this machine lets clocks be moved. */
  readonly hasClocks: boolean;
  /** Instead of the store and its servers, for a negative control. */
  readonly sourceRules?: SourceRules;
}

/** A client in its process. */
export class Client {
  readonly member: Member;
  readonly clock: MovableClock | undefined;
  /** A fault has it now. */
  isHurt = false;
  readonly #start: (client: Client, name: string) => ChildProcess;
  #child: ChildProcess | undefined;
  #starts = 0;
  readonly #crashes: string[];

  constructor(
    member: Member,
    clock: MovableClock | undefined,
    crashes: string[],
    start: (client: Client, name: string) => ChildProcess,
  ) {
    this.member = member;
    this.clock = clock;
    this.#crashes = crashes;
    this.#start = start;
  }

  /** The record of the present process. */
  get name(): string {
    return `${this.member.name}@${this.#starts}`;
  }

  start(): void {
    this.#starts++;
    const { name } = this;
    const child = this.#start(this, name);
    this.#child = child;
    child.on('exit', (code, signal) => {
      if (signal !== 'SIGKILL' && code !== 0) this.#crashes.push(`${name} ended with ${signal ?? code}`);
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  async end(): Promise<void> {
    if (this.#child) await endInOrder(this.#child);
  }
}

export type StormFleet = Awaited<ReturnType<typeof startStormFleet>>;

export async function startStormFleet(options: StormFleetOptions) {
  const { storeUrl, engine, roster, seed, hasClocks } = options;
  const folder = await dataFolder('chaos');
  const random = new Random(seed);
  const clockOf = (name: string) => (hasClocks ? new MovableClock(join(folder, `${name}.clock`)) : undefined);
  const serverClock = clockOf('server');
  const environments = Array.from({ length: SERVERS }, (_, at) =>
    at === SERVER_WITH_CLOCK ? { ...serverClock?.environment } : {},
  );
  const servers = await startServers(
    options.sourceRules ? 0 : SERVERS,
    storeUrl,
    engine,
    folder,
    environments,
  );
  const proxy = await new HttpProxy(servers.ports, random).open();
  const viaServers = { server: proxy.url, token: TOKEN };
  const crashes: string[] = [];
  const extras = new Set<ChildProcess>();

  const sourceOf = ({ from }: Member): MakerOptions['source'] => {
    if (options.sourceRules) return { sourceRules: options.sourceRules };
    if (from === 'store') return { store: storeUrl };
    return from === 'ids' ? { ...viaServers, mints: MINTED_SERVICE } : viaServers;
  };
  const optionsOf = (member: Member, name: string): MakerOptions => {
    const { way, atOnce, staysMs, client } = member;
    return {
      ...{ name, folder, engine, source: sourceOf(member), seed: random.integer(1, 2 ** 31) },
      client: { ...options.client, ...client },
      pauseMs: PAUSE_MS,
      ...{ ...(way && { way }), ...(atOnce && { atOnce }), ...(staysMs && { staysMs }) },
    };
  };
  const startClient = (client: Client, name: string) => {
    const child = forkMakers(name, client.clock?.environment);
    child.send({ start: optionsOf(client.member, name) } satisfies MakerCommand);
    return child;
  };
  const clients = roster.map(
    (member) => new Client(member, member.hasClock ? clockOf(member.name) : undefined, crashes, startClient),
  );
  for (const client of clients) client.start();

  return {
    ...{ folder, servers, proxy, clients, serverClock, random },
    /** Processes that ended without having been told to. */
    crashes: () => [...crashes, ...servers.crashes],

    /** One of the clients that no fault has; by a number from 0 to 1. */
    pick(chance: number, suits: (client: Client) => boolean = () => true): Client | undefined {
      const free = clients.filter((client) => !client.isHurt && suits(client));
      return free[Math.floor(chance * free.length)];
    },

    /** Starts further clients in a process of their own. */
    async startExtras(title: string, members: readonly Member[], pauseMs: number): Promise<ChildProcess> {
      const child = forkMakers(title);
      extras.add(child);
      child.on('exit', () => extras.delete(child));
      members.forEach((member, at) => {
        const start = { ...optionsOf(member, `${title}-${at}`), pauseMs };
        child.send({ start } satisfies MakerCommand);
      });
      return child;
    },

    /** Starts a process that acquires, through servers or on the store, and kills it in the midst; tells whether it was. */
    async killInAcquire(name: string, isDirect: boolean, afterMs: number): Promise<boolean> {
      const child = forkChild(ACQUIRER, name);
      const source = isDirect ? { store: storeUrl } : viaServers;
      const exited = once(child, 'exit');
      child.send({ name, source, engine, folder } satisfies AcquirerOptions);
      await Promise.race([once(child, 'message'), exited]);
      // Not slept: a timer is late by more than an acquire takes.
      for (const end = performance.now() + afterMs; performance.now() < end; )
        await new Promise((resolve) => setImmediate(resolve));
      child.kill('SIGKILL');
      await exited;
      const isKnown = makerNames(folder).includes(name);
      return isKnown && readEvents(folder, name).at(-1)?.kind === 'acquiring';
    },

    async end(): Promise<void> {
      await Promise.all([...clients.map((client) => client.end()), ...[...extras].map(endInOrder)]);
      proxy.close();
      await servers.end();
    },
  };
}
