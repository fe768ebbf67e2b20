// Redis with the connections that a fleet of servers would have: acquires beside a script that does nothing, and the
// server's own time for a lease when sixteen are taken at once.

import { RedisLeaseProvider } from '@kazahana/redis';
import { createClient } from '@redis/client';
import { startRedis } from '../../tests/services/redis.ts';

const CONNECTIONS = 50;
const CALLS = 400;
const ROUNDS = 7;

const median = (samples: readonly number[]) =>
  [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;

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
  const services = { default: { leaseDuration: 1, fallbackGrace: 0 } };
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

  await first.configResetStat();
  let leases = 0;
  for (let i = 0; i < 500; i++)
    leases += (await providers[0]?.acquire({ throughputPerMs: 16 * 256 }))?.leases.length ?? 0;
  const stats = await first.info('commandstats');
  const micros = [...stats.matchAll(/cmdstat_evalsha:calls=\d+,usec=(\d+)/g)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
  console.log(
    `Redis, server time for a lease when 16 are taken at once: ${(micros / leases).toFixed(1)} µs (goal: 3)`,
  );
  for (const client of clients) client.destroy();
  await service.dispose();
}
