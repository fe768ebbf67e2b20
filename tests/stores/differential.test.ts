// All stores get the same random commands at the same virtual times, and must give the same responses as the memory
// provider, which is the pool rules and nothing else.
import { MemoryLeaseProvider } from 'kazahana';
import { type ConformanceSubject, virtualEnvironment } from 'kazahana/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../../simulation/world.ts';
import { type Command, Driven, drawCommand, SERVICES } from './commands.ts';
import { loadStore, STORES } from './store-under-test.ts';

const RUNS = 40;
const COMMANDS_PER_RUN = 250;
/** Runs have nothing in common, so a slow store need not keep the others waiting. */
const AT_ONCE = 5;

const started = await Promise.all(
  STORES.map(async (name) => ({ name, store: await (await loadStore(name)).start() })),
);
afterAll(() => Promise.all(started.map(({ store }) => store.stop())));

function memorySubject(): ConformanceSubject {
  const environment = virtualEnvironment();
  const { now, advance } = environment;
  return { provider: new MemoryLeaseProvider({ services: SERVICES, environment }), now, advance };
}

async function drive(subject: ConformanceSubject): Promise<Driven> {
  return new Driven(subject, (await subject.now?.()) ?? 0);
}

/** What must come up, or the commands would show little. */
const WANTED = [
  'every slot is held',
  'in quarantine',
  'the quota is used up',
  'TOO_MANY_LEASES',
  'INVALID_SIGNATURE',
  'LEASE_NOT_FOUND',
  'STALE_SIGNATURE',
];

function kindOf(response: unknown): string {
  const { code, reason } =
    (response as { refused?: { code?: string; reason?: string } } | undefined)?.refused ?? {};
  return reason ?? code ?? 'done';
}

describe(`${RUNS * COMMANDS_PER_RUN} random commands`, () => {
  it('have the same responses in memory, SQLite, Redis, PostgreSQL and etcd', async () => {
    const kinds = new Set<string>();
    const perform = async (run: number) => {
      const random = new Random(run);
      const subjects = await Promise.all(
        started.map(async ({ name, store }) => ({
          name,
          subject: await store.virtualSubject({ services: SERVICES }),
        })),
      );
      const memory = await drive(memorySubject());
      const others = await Promise.all(
        subjects.map(async ({ name, subject }) => ({ name, driven: await drive(subject) })),
      );
      const done: Command[] = [];
      for (let i = 0; i < COMMANDS_PER_RUN; i++) {
        const command = drawCommand(random);
        done.push(command);
        const expected = await memory.perform(command);
        kinds.add(kindOf(expected));
        const responses = await Promise.all(others.map(({ driven }) => driven.perform(command)));
        responses.forEach((response, at) => {
          const where = `${others[at]?.name}, run ${run}, command ${i}: ${JSON.stringify(done.slice(-12), null, 1)}`;
          expect(response, where).toEqual(expected);
        });
      }
      for (const { subject } of subjects) await subject.dispose?.();
    };
    let next = 1;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next <= RUNS) await perform(next++);
      }),
    );
    expect([...kinds]).toEqual(expect.arrayContaining(WANTED));
  }, 300_000);
});
