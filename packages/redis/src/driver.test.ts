// The driver alone: keeps and finds what the engine asks for.
import { createClient } from '@redis/client';
import { type DriverSubject, leaseDriverConformance } from 'kazahana/testing';
import { afterAll, describe, it } from 'vitest';
import { startRedis } from '../../../tests/services/redis.ts';
import { withOwnClock } from '../../../tests/stores/redis.ts';
import { driverOn } from './testing/server.ts';

const server = await startRedis();
const client = await createClient({ url: `redis://127.0.0.1:${server.port}` }).connect();
afterAll(async () => {
  client.destroy();
  await server.dispose();
});

let cases = 0;
const subject = async (): Promise<DriverSubject> => {
  const prefix = `driver-${++cases}`;
  const { redis, now, advance } = await withOwnClock(client, prefix);
  return { driver: driverOn(redis, prefix), other: driverOn(redis, prefix), now, advance };
};

describe('the driver of Redis conforms:', () => {
  for (const { name, run } of leaseDriverConformance(subject)) it(name, run);
});
