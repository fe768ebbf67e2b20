// What an acquire gives: how many leases, of which machine IDs, for which times.
import { makeLayout } from '../../id/layout.js';
import type { AcquireOptions, LeaseInfo, ReleaseOptions } from '../../lease/types.js';
import { check, equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT, type Trial } from './subject.js';

const LAYOUT = { customEpoch: 1_767_225_600_000, bitReserve: 1, bitTs: 41, bitId: 14, bitSeq: 8 };
const NUMBERS = ['id', 'created', 'expired', 'fallbackUntil', ...Object.keys(LAYOUT)] as (keyof LeaseInfo)[];

const idsOf = (leases: readonly LeaseInfo[]) => leases.map(({ id }) => id);
const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A request that every provider must refuse. */
type BadCall = readonly [what: string, call: (trial: Trial) => Promise<unknown>];

const badAcquire = (options: unknown): BadCall => [
  `acquire(${JSON.stringify(options)})`,
  (trial) => trial.acquire(options as AcquireOptions),
];
const badRelease = (options: unknown): BadCall => [
  `release(${JSON.stringify(options)})`,
  (trial) => trial.provider.release(options as ReleaseOptions),
];

const BAD_CALLS: readonly BadCall[] = [
  ...[null, 5, 'default', []].map(badAcquire),
  ...[0, -1, 1.5, '256', 2 ** 40, null, true].map((throughputPerMs) => badAcquire({ throughputPerMs })),
  ...['', 5, null, {}, 'x'.repeat(1000)].map((serviceId) => badAcquire({ serviceId })),
  ...['', 5, null, {}, 'x'.repeat(1000)].map((requestId) => badAcquire({ requestId })),
  ...['x', 5, null, [], { host: 5 }, { host: null }, { host: {} }, { host: 'x'.repeat(1024) }].map((meta) =>
    badAcquire({ meta }),
  ),
  ...[
    'x',
    null,
    {},
    { pool: 'x' },
    { serial: 1 },
    { pool: 5, serial: 1 },
    { pool: 'x', serial: '1' },
    { pool: 'x', serial: -1 },
    { pool: 'x', serial: 0.5 },
  ].map((seen) => badAcquire({ seen })),
  // One fault is enough, even beside something that would stop the pool.
  badAcquire({ throughputPerMs: 0, seen: { pool: 'another pool', serial: 1 } }),
  ...[null, 5, {}].map(badRelease),
  ...[-1, 1.5, '0', null, 2 ** 40].map((id) => badRelease({ id, signature: 'ab'.repeat(32), timestamp: 1 })),
  ...[-1, 1.5, '0', null].map((timestamp) => badRelease({ id: 0, signature: 'ab'.repeat(32), timestamp })),
  ...[5, null, {}].map((signature) => badRelease({ id: 0, signature, timestamp: 1 })),
  ...[5, null, ''].map((serviceId) =>
    badRelease({ id: 0, signature: 'ab'.repeat(32), timestamp: 1, serviceId }),
  ),
];

export const grantCases: readonly CaseDefinition[] = [
  {
    name: 'a response has every field of the protocol, and the layout of the pool',
    rule: 'protocol',
    options: { services: { default: { ...LAYOUT, leaseDuration: LONG } } },
    async run(trial) {
      const response = await trial.acquire({
        serviceId: 'default',
        meta: { host: 'a' },
        throughputPerMs: 1,
        requestId: 'request 1',
      });
      equal('the number of leases', response.leases.length, 1);
      for (const lease of response.leases) {
        for (const name of NUMBERS) {
          check(
            Number.isSafeInteger(lease[name]),
            `${name} must be an integer, it is ${String(lease[name])}`,
          );
        }
        equal(
          'the layout of a lease',
          makeLayout((field) => lease[field]),
          LAYOUT,
        );
      }
      equal('requestId', response.requestId, 'request 1');
      check(Number.isSafeInteger(response.now), `now must be an integer, it is ${String(response.now)}`);
      check(
        Number.isSafeInteger(response.serial),
        `serial must be an integer, it is ${String(response.serial)}`,
      );
      check(
        typeof response.pool === 'string' && response.pool !== '',
        `pool must be a text, it is ${String(response.pool)}`,
      );
      const { requestId } = await trial.acquire();
      equal('the requestId of a request without one', requestId, undefined);
    },
  },
  {
    name: "windows start at the store's time and last as the service says",
    rule: 'R3',
    options: {
      services: {
        default: { leaseDuration: 1000 },
        fenced: { leaseDuration: 2000, fallbackGrace: 500 },
        seed: { leaseDuration: 3000, fallbackGrace: 0 },
      },
    },
    async run(trial) {
      const rows: [service: string, duration: number, grace: number][] = [
        ['default', 1000, 1000],
        ['fenced', 2000, 500],
        ['seed', 3000, 0],
        ['a service that is not configured', 1000, 1000],
      ];
      for (const [serviceId, duration, grace] of rows) {
        const before = await trial.now();
        const { leases, now } = await trial.acquire({ serviceId });
        const after = await trial.now();
        for (const { created, expired, fallbackUntil } of leases) {
          equal(`${serviceId}: created`, created, now);
          equal(`${serviceId}: expired`, expired, created + duration);
          equal(`${serviceId}: fallbackUntil`, fallbackUntil, expired + grace);
          check(
            (before ?? created) <= created && created <= (after ?? created),
            `created must be the store's time, ${before} to ${after}, it is ${created}`,
          );
        }
        await trial.advance(3);
      }
    },
  },
  {
    name: 'an acquire gives as many leases as the throughput needs, in responses of any size',
    rule: 'granting',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const rows: [throughputPerMs: number | undefined, leases: number][] = [
        [undefined, 1],
        [1, 1],
        [255, 1],
        [256, 1],
        [257, 2],
        [1024, 4],
        [1025, 5],
        [100 * 256, 100],
      ];
      let total = 0;
      const seen = new Set<number>();
      for (const [throughputPerMs, count] of rows) {
        const { leases } = await trial.acquire(throughputPerMs === undefined ? {} : { throughputPerMs });
        equal(`the number of leases for ${throughputPerMs} IDs/ms`, leases.length, count);
        for (const { id } of leases) seen.add(id);
        total += count;
      }
      equal('the number of different machine IDs', seen.size, total);
    },
  },
  {
    name: 'only the lower half of the machine IDs is leased, and all of it',
    rule: 'R5',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const { leases } = await trial.acquire({ throughputPerMs: 2 ** 31 });
      equal('the machine IDs', sorted(idsOf(leases)), [0, 1, 2, 3]);
    },
  },
  {
    name: 'an acquire gives fewer leases when fewer are free',
    rule: 'granting',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const first = await trial.acquire({ throughputPerMs: perSlot(3) });
      const second = await trial.acquire({ throughputPerMs: perSlot(3) });
      equal('the machine IDs', sorted(idsOf([...first.leases, ...second.leases])), [0, 1, 2, 3]);
    },
  },
  {
    name: 'an exhausted pool says for how long, and grants again when the windows have ended, not before',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      const { leases } = await trial.acquire({ throughputPerMs: perSlot(4) });
      const ends = leases.map(({ fallbackUntil = 0 }) => fallbackUntil);
      const wait = await trial.waitWhileTaken(Math.min(...ends));
      check(wait <= 2 * SHORT, `nothing is taken for longer than ${2 * SHORT} ms, the pool says ${wait}`);
      const again = await trial.acquire({ throughputPerMs: perSlot(4) });
      equal('the machine IDs', sorted(idsOf(again.leases)), [0, 1, 2, 3]);
      for (const { created } of again.leases) {
        check(
          created >= Math.max(...ends),
          `created must not be before ${Math.max(...ends)}, it is ${created}`,
        );
      }
    },
  },
  {
    name: 'machine IDs that were never used come first, in order; then those that have been free longest',
    rule: 'granting',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const first = await trial.lease();
      equal('the first machine ID', first.id, 0);
      await trial.release(first, first.created);
      await trial.advance(2);
      const leases = [await trial.lease(), await trial.lease(), await trial.lease(), await trial.lease()];
      equal('the next machine IDs', idsOf(leases), [1, 2, 3, 0]);
      const base = Math.max(...leases.map(({ created }) => created));
      const order = [2, 0, 3, 1];
      for (const [place, id] of order.entries()) {
        const lease = leases.find((other) => other.id === id);
        if (lease) await trial.release(lease, base + 2 * place);
      }
      await trial.advance(10);
      const again = [await trial.lease(), await trial.lease(), await trial.lease(), await trial.lease()];
      equal('the machine IDs, in the order in which they became free', idsOf(again), order);
    },
  },
  {
    name: 'secrets are 32 hexadecimal digits, and no two are equal',
    rule: 'protocol',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const responses = [await trial.acquire({ throughputPerMs: 20 * 256 }), await trial.acquire()];
      const secrets = responses.flatMap(({ leases }) => leases.map(({ secret }) => secret));
      for (const secret of secrets) {
        check(/^[0-9a-f]{32}$/.test(secret), 'a secret must be 32 hexadecimal digits, one is not');
      }
      equal('the number of different secrets', new Set(secrets).size, 21);
      // Counting up from one random value would pass for different; half of each must differ, too.
      for (const half of [0, 16]) {
        const halves = new Set(secrets.map((secret) => secret.slice(half, half + 16)));
        equal('the number of different halves of secrets', halves.size, 21);
      }
    },
  },
  {
    name: 'fifty acquires at once get fifty machine IDs, and the serial rises with each',
    rule: 'R2',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const responses = await Promise.all(upTo(50).map(() => trial.acquire()));
      const ids = responses.flatMap(({ leases }) => idsOf(leases));
      equal('the number of leases', ids.length, 50);
      equal('the number of different machine IDs', new Set(ids).size, 50);
      equal('the number of serials', new Set(responses.map(({ serial }) => serial)).size, 50);
      equal('the number of pools', new Set(responses.map(({ pool }) => pool)).size, 1);
    },
  },
  {
    name: 'twenty acquires at once for four machine IDs: four get one, the others are told to wait',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const outcomes = await Promise.allSettled(upTo(20).map(() => trial.acquire()));
      const ids = outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' ? idsOf(outcome.value.leases) : [],
      );
      equal('the machine IDs', sorted(ids), [0, 1, 2, 3]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') {
          await refusal('acquire from a full pool', ['POOL_EXHAUSTED'], () => Promise.reject(outcome.reason));
        }
      }
    },
  },
  {
    name: 'the serial rises with every grant, and the pool keeps its id',
    rule: 'R7',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      let last = await trial.acquire();
      for (const throughputPerMs of [1, 1000, 1]) {
        const next = await trial.acquire({ throughputPerMs });
        check(
          (next.serial ?? 0) > (last.serial ?? 0),
          `serial must rise above ${last.serial}, it is ${next.serial}`,
        );
        equal('pool', next.pool, last.pool);
        last = next;
      }
    },
  },
  {
    name: 'what is no request is refused, and nothing changes for it',
    rule: 'protocol',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      await trial.acquire();
      for (const [what, call] of BAD_CALLS) await refusal(what, [], () => call(trial));
      const after = await trial.acquire();
      equal('the machine ID of the next lease', idsOf(after.leases), [1]);
    },
  },
];
