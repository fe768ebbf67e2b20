// Redis with the connections that a fleet of servers would have: acquires beside a script that does nothing, and the
// server's own time for a lease when sixteen are taken at once.

import { RedisLeaseProvider } from '@kazahana/redis';
import { createClient } from '@redis/client';
import { startRedis } from '../../tests/services/redis.ts';

const CONNECTIONS = 50;
const CALLS = 400;
const ROUNDS = 7;
const AT_ONCE = 16;
/** Together not more than a pool has. */
const BATCHES = 500;

const median = (samples: readonly number[]) =>
  [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;

/** The time that Redis itself spends on a lease, by its own count. */
async function serverMicros(
  client: { configResetStat(): Promise<unknown>; info(section: string): Promise<string> },
  provider: RedisLeaseProvider | undefined,
  serviceId: string,
): Promise<number> {
  await provider?.acquire({ serviceId });
  await client.configResetStat();
  let leases = 0;
  for (let i = 0; i < BATCHES; i++) {
    const answer = await provider?.acquire({ serviceId, throughputPerMs: AT_ONCE * 256 });
    leases += answer?.leases.length ?? 0;
  }
  const stats = await client.info('commandstats');
  const micros = [...stats.matchAll(/cmdstat_evalsha:calls=\d+,usec=(\d+)/g)].map(([, usec]) => Number(usec));
  return micros.reduce((sum, usec) => sum + usec, 0) / leases;
}

export async function measureRedis(): Promise<void> {
  const service = await startRedis();
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      createClient({ url: `redis://127.0.0.1:${service.port}` }).connect(),
    ),
  );
  const [first] = clients;
  if (!first) throw new Error('there is no connection');
  const nothing = await first.scriptLoad('return 1');
  // Leases that end at once, so that the pool is never exhausted.
  const services = {
    default: { leaseDuration: 1, fallbackGrace: 0 },
    fresh: { leaseDuration: 3_600_000, pool: 'fresh' },
  };
  const options = { services, onWarning: () => {} };
  const providers = clients.map((client) => new RedisLeaseProvider(client, options));

  const rate = async (call: (connection: number) => Promise<unknown>) => {
    const started = performance.now();
    await Promise.all(
      clients.map(async (_, connection) => {
        for (let i = 0; i < CALLS; i++) await call(connection);
      }),
    );
    return (CONNECTIONS * CALLS * 1000) / (performance.now() - started);
  };
  const acquire = (connection: number) => Promise.resolve(providers[connection]?.acquire({}));
  const idle = (connection: number) => Promise.resolve(clients[connection]?.evalSha(nothing));
  await rate(acquire);
  const rates = { acquire: [] as number[], idle: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.idle.push(await rate(idle));
    rates.acquire.push(await rate(acquire));
  }
  const ratio = median(rates.acquire) / median(rates.idle);
  console.log(
    `\nRedis, ${CONNECTIONS} connections, calls a second: acquire ${median(rates.acquire).toFixed(0)}, ` +
      `EVALSHA "return 1" ${median(rates.idle).toFixed(0)}: ${ratio.toFixed(2)} (goal: 0.5)`,
  );

  // Of a fresh pool every slot is new; of the other, each has a lease that ended without being given back.
  for (const [what, serviceId] of [
    ['never used', 'fresh'],
    ['last leased and not given back', 'default'],
  ] as const) {
    const micros = await serverMicros(first, providers[0], serviceId);
    console.log(
      `Redis, server time for a lease when 16 are taken at once, ${what}: ${micros.toFixed(1)} µs (goal: 3)`,
    );
  }
  for (const client of clients) client.destroy();
  await service.dispose();
}
