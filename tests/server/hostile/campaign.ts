// Clients of every kind against a lease server that lies, and the judge of what they make: every call settles, every failure
// is an error of ours, every ID lies in a lease that the client was told of, and the IDs of one client rise.
import {
  HttpLeaseProvider,
  type HttpLeaseProviderOptions,
  isKazahanaError,
  KazahanaClient,
  MintingClient,
} from 'kazahana';
import { LeaseError, type LeaseInfo } from 'kazahana/lease';
import { type HostileServer, startHostileServer, type Told } from './hostile-server.ts';

/** Short, so that clients ask often. */
const SERVICES = { default: { leaseDuration: 120, fallbackGrace: 80 } };
const TRUTHFULNESS = 0.4;
const TIMES = {
  acquireTimeout: 250,
  acquireRetryInterval: 10,
  acquireRetryMaxInterval: 60,
  nextIdTimeout: 400,
  shutdownTimeout: 250,
};
const HTTP: HttpLeaseProviderOptions = { timeout: 200 };

export interface HostileResult {
  readonly requests: number;
  readonly lies: ReadonlyMap<string, number>;
  readonly ids: number;
  readonly mintedIds: number;
  /** By their codes. */
  readonly failures: ReadonlyMap<string, number>;
  readonly mostTaken: number;
  /** What should not have happened. */
  readonly faults: readonly string[];
}

/** Rules R1 and R5: whether an ID lies in the window and the range of a lease. */
function isOf(
  id: bigint,
  { id: machineId, created, expired, fallbackUntil = expired, ...layout }: LeaseInfo,
) {
  const { customEpoch, bitReserve, bitTs, bitId, bitSeq } = layout;
  if (bitReserve < 1 || bitReserve + bitTs + bitId + bitSeq !== 64) return false;
  const t = Number(id >> BigInt(bitId + bitSeq)) + customEpoch;
  const machine = Number((id >> BigInt(bitSeq)) & ((1n << BigInt(bitId)) - 1n));
  const half = 2 ** (bitId - 1);
  if (machine < half) return machine === machineId && created <= t && t < expired;
  return machine - half === machineId && expired <= t && t < fallbackUntil;
}

const LEASE_NUMBERS = [
  ...(['id', 'created', 'expired', 'customEpoch', 'bitReserve', 'bitTs', 'bitId', 'bitSeq'] as const),
];
const isLease = (lease: Partial<LeaseInfo>): lease is LeaseInfo =>
  LEASE_NUMBERS.every((name) => Number.isSafeInteger(lease[name])) && typeof lease.secret === 'string';

/** The judge of one client. */
class Judge {
  readonly faults: string[] = [];
  readonly failures = new Map<string, number>();
  ids = 0;
  readonly #name: string;
  readonly #told: () => Told | undefined;
  #last = -1n;

  constructor(name: string, told: () => Told | undefined) {
    this.#name = name;
    this.#told = told;
  }

  fault(what: string): void {
    this.faults.push(`${this.#name}: ${what}`);
  }

  made(ids: readonly bigint[]): void {
    this.ids += ids.length;
    for (const id of ids) {
      if (id <= this.#last) this.fault(`${id} does not rise above ${this.#last}`);
      this.#last = id;
    }
    // The IDs of a batch are of few milliseconds and leases: its ends tell.
    for (const id of [ids[0], ids.at(-1)]) {
      const leases = this.#told()?.leases.filter(isLease) ?? [];
      if (id !== undefined && !leases.some((lease) => isOf(id, lease))) this.fault(`${id} lies in no lease`);
    }
  }

  failed(error: unknown): void {
    // A code that is not in the list may be that of a newer server.
    if (!isKazahanaError(error) && !(error instanceof LeaseError))
      this.fault(`a foreign error: ${String((error as Error)?.stack ?? error)}`);
    const { code = 'none' } = Object(error) as { code?: string };
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1);
  }
}

type Call = (judge: Judge) => Promise<void>;

/** Calls until it is over; every outcome goes to the judge. */
async function keepCalling(judge: Judge, call: Call, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await call(judge);
    } catch (error) {
      judge.failed(error);
    }
    // Also after what fails at once.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** One client that makes IDs in all ways by turns. No random IDs: those are of no lease. */
async function runClient(server: HostileServer, index: number, isOver: () => boolean): Promise<Judge> {
  const name = `client-${index}`;
  const judge = new Judge(name, () => server.told.get(name));
  const client = new KazahanaClient({
    provider: new HttpLeaseProvider(`${server.url}/${name}`, HTTP),
    maxThroughputPerMs: index % 2 === 0 ? 256 : 1024,
    disableRandomFallback: true,
    disableFallback: index % 3 === 0,
    maxBackwardMs: index % 4 === 0 ? 0 : 100,
    onWarning: () => {},
    ...TIMES,
  });
  const batch = new BigUint64Array(300);
  const ways: Call[] = [
    async () => judge.made([await client.nextId()]),
    async () => judge.made(await client.nextIds(700)),
    async () => judge.made([client.nextIdSync()]),
    async () => judge.made([...batch.subarray(0, client.fill(batch))]),
    async () => client.ready(),
    async () => void client.stats(),
  ];
  let turn = 0;
  await keepCalling(judge, (to) => (ways[turn++ % ways.length] as Call)(to), isOver);
  await client.shutdown();
  return judge;
}

async function runMinter(server: HostileServer, judge: Judge, isOver: () => boolean): Promise<void> {
  const client = new MintingClient(`${server.url}/minter`, { ...HTTP, batchSize: 20 });
  const check = (ids: readonly bigint[]) => {
    judge.ids += ids.length;
    for (const id of ids) if (id < 0n || id >= 2n ** 63n) judge.fault(`${id} is no ID`);
    if (ids.some((id, i) => i > 0 && id <= (ids[i - 1] ?? 0n))) judge.fault('a batch does not rise');
  };
  let turn = 0;
  await keepCalling(
    judge,
    async () => check(turn++ % 3 ? [await client.nextId()] : await client.nextIds(7)),
    isOver,
  );
}

async function runOperator(server: HostileServer, isOver: () => boolean): Promise<Judge> {
  const judge = new Judge('operator', () => undefined);
  const provider = new HttpLeaseProvider(`${server.url}/operator`, HTTP);
  const calls = [
    () => provider.listLeases(),
    () => provider.inspectPool(),
    () => provider.whois(115_744_530_178_769_152n),
    () => provider.quarantine('none'),
  ];
  let turn = 0;
  await keepCalling(judge, async () => void (await calls[turn++ % calls.length]?.()), isOver);
  return judge;
}

/** Runs until the server has had so many requests, and some IDs were minted: a starved machine may need more requests. */
export async function runHostileCampaign(
  seed: number,
  requests: number,
  clients: number,
): Promise<HostileResult> {
  const server = await startHostileServer(seed, SERVICES, TRUTHFULNESS);
  const faults: string[] = [];
  const onCrash = (error: unknown) => faults.push(`not handled: ${String((error as Error)?.stack ?? error)}`);
  process.on('unhandledRejection', onCrash);
  const minter = new Judge('minter', () => undefined);
  const isOver = () => (server.requests >= requests && minter.ids > 0) || faults.length > 0;
  const running = Array.from({ length: clients }, (_, index) => runClient(server, index, isOver));
  const minting = runMinter(server, minter, isOver);
  const [operator, ...judges] = await Promise.all([runOperator(server, isOver), ...running]);
  await minting;
  await server.close();
  process.off('unhandledRejection', onCrash);
  const failures = new Map<string, number>();
  for (const judge of [...judges, minter, operator])
    for (const [code, count] of judge.failures) failures.set(code, (failures.get(code) ?? 0) + count);
  return {
    requests: server.requests,
    lies: server.counts,
    ids: judges.reduce((sum, { ids }) => sum + ids, 0),
    mintedIds: minter.ids,
    failures,
    mostTaken: server.mostTaken,
    faults: [...faults, ...[...judges, minter, operator].flatMap((judge) => judge.faults)],
  };
}
