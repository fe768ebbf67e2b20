// What a release gives back: rule R2, and which signature it needs.
import { signRelease } from '../../lease/signature.js';
import type { LeaseInfo } from '../../lease/types.js';
import { virtualEnvironment } from '../../virtual-environment.js';
import { check, equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT, type Trial } from './subject.js';
import { WindowLedger } from './window-ledger.js';

/** Over HTTP a wrong signature and an unknown lease look the same. */
const WRONG = ['INVALID_SIGNATURE', 'LEASE_NOT_FOUND'];

async function takeAll(trial: Trial): Promise<LeaseInfo[]> {
  const { leases } = await trial.acquire({ throughputPerMs: perSlot(4) });
  equal('the number of leases', leases.length, 4);
  return [...leases];
}

function second(leases: readonly LeaseInfo[]): LeaseInfo {
  const lease = leases[1];
  check(lease !== undefined, 'there must be a second lease');
  return lease;
}

const LAYOUTS = [FOUR_SLOTS, { bitId: 4, bitSeq: 18 }, { bitId: 2, bitSeq: 20 }];

/** Acquires, releases, layouts and time in any order; the ledger throws when two leases meet. */
async function wander(trial: Trial, seed: number, steps: number): Promise<void> {
  const environment = virtualEnvironment({ seed });
  const upTo = (limit: number) => (environment.random(new Uint8Array(1))[0] ?? 0) % limit;
  const ledger = new WindowLedger();
  const held: LeaseInfo[] = [];
  let now = 0;
  for (let step = 0; step < steps; step++) {
    const choice = upTo(20);
    if (choice < 9) {
      try {
        const response = await trial.acquire({ throughputPerMs: perSlot(1 + upTo(2)) });
        now = response.now ?? now;
        for (const lease of response.leases) ledger.granted(lease);
        held.push(...response.leases);
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'POOL_EXHAUSTED') throw error;
      }
    } else if (choice < 15 && held.length > 0) {
      const [lease] = held.splice(upTo(held.length), 1);
      const timestamp = now - 5 + upTo(30);
      if (!lease) continue;
      try {
        await trial.release(lease, timestamp);
        ledger.released(lease, timestamp);
      } catch (error) {
        // Its windows may have ended, and its machine ID may have another holder.
        if (!WRONG.includes(String((error as { code?: unknown }).code))) throw error;
      }
    } else if (choice === 15 && trial.provider.changeLayout) {
      await trial.provider.changeLayout(LAYOUTS[upTo(LAYOUTS.length)] ?? FOUR_SLOTS);
    } else {
      const ms = upTo(25);
      await trial.advance(ms);
      now += ms;
    }
  }
}

export const releaseCases: readonly CaseDefinition[] = [
  {
    name: 'a release frees the machine ID from timestamp + 1 on, and not before',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const lease = second(await takeAll(trial));
      const timestamp = lease.created + 40;
      await trial.release(lease, timestamp);
      await trial.waitWhileTaken(timestamp + 1);
      const next = await trial.lease();
      equal('the machine ID', next.id, lease.id);
      check(next.created > timestamp, `created must be after ${timestamp}, it is ${next.created}`);
      check(next.secret !== lease.secret, 'the next lease of a machine ID must have another secret');
      await trial.exhausted();
    },
  },
  {
    name: 'a lease that was never used is free at once, and no earlier than it was granted',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const lease = second(await takeAll(trial));
      await trial.release(lease, lease.created - 1000);
      const next = await trial.lease();
      equal('the machine ID', next.id, lease.id);
      check(
        next.created >= lease.created,
        `created must not be before ${lease.created}, it is ${next.created}`,
      );
    },
  },
  {
    name: 'a release cannot make a lease last longer',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: 0 } } },
    async run(trial) {
      const leases = await takeAll(trial);
      for (const lease of leases) await trial.release(lease, lease.created + 20_000);
      await trial.waitWhileTaken(second(leases).expired);
      await takeAll(trial);
    },
  },
  {
    name: 'a release that does not fit is refused, and nothing changes',
    rule: 'protocol',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const leases = await takeAll(trial);
      const lease = second(leases);
      const { id, secret, created: timestamp } = lease;
      const signature = signRelease(secret, id, timestamp);
      const otherId = (id + 1) % 4;
      const rows: [what: string, options: Parameters<typeof trial.provider.release>[0]][] = [
        ['a signature of zeros', { id, timestamp, signature: '0'.repeat(64) }],
        ['an empty signature', { id, timestamp, signature: '' }],
        ['half a signature', { id, timestamp, signature: signature.slice(0, 32) }],
        ['a signature and more', { id, timestamp, signature: `${signature}00` }],
        ['the secret in place of a signature', { id, timestamp, signature: secret }],
        ['a signature for another time', { id, timestamp: timestamp + 1, signature }],
        ['a signature for another machine ID', { id: otherId, timestamp, signature }],
        [
          'a signature with another secret',
          { id, timestamp, signature: signRelease('0'.repeat(32), id, timestamp) },
        ],
      ];
      for (const [what, options] of rows) {
        const error = await refusal(`a release with ${what}`, WRONG, () => trial.provider.release(options));
        check(!error.message.includes(secret), 'an error must not show the secret');
      }
      await refusal('a release of a machine ID that is not leased', ['LEASE_NOT_FOUND'], () =>
        trial.provider.release({ id: 7, timestamp, signature: signRelease(secret, 7, timestamp) }),
      );
      await trial.exhausted();
      await trial.release(lease, timestamp);
      await trial.advance(2);
      equal('the machine ID that is free now', (await trial.lease()).id, id);
    },
  },
  {
    name: "a release is signed within half a minute of the store's time",
    rule: 'protocol',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const lease = second(await takeAll(trial));
      for (const off of [-31_000, 35_000, -LONG, LONG]) {
        await refusal(`a release ${off} ms off`, ['STALE_SIGNATURE'], () =>
          trial.release(lease, lease.created + off),
        );
      }
      await trial.exhausted();
      await trial.release(lease, lease.created - 25_000);
      equal('the machine ID that is free now', (await trial.lease()).id, lease.id);
    },
  },
  {
    name: 'a lease is released once, and never by an earlier holder',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } },
    async run(trial) {
      const lease = second(await takeAll(trial));
      await trial.release(lease, lease.created);
      await refusal('a second release', ['LEASE_NOT_FOUND'], () => trial.release(lease, lease.created));
      await trial.advance(2);
      const next = await trial.lease();
      equal('the machine ID', next.id, lease.id);
      await refusal('a release by the earlier holder', WRONG, () => trial.release(lease, next.created));
      await trial.exhausted();
    },
  },
  {
    name: 'a lease whose windows have ended is gone',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: 0 } } },
    async run(trial) {
      const lease = await trial.lease();
      await trial.advance(SHORT);
      await refusal('a release after the end', ['LEASE_NOT_FOUND'], () =>
        trial.release(lease, lease.expired - 1),
      );
    },
  },
  {
    name: 'a lease can be released in its fallback window',
    rule: 'R5',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: LONG } } },
    async run(trial) {
      const lease = second(await takeAll(trial));
      await trial.advance(SHORT);
      await trial.exhausted();
      await trial.release(lease, lease.expired);
      await trial.advance(1);
      equal('the machine ID that is free now', (await trial.lease()).id, lease.id);
    },
  },
  {
    name: 'whatever is acquired, released and changed, no machine ID is leased twice for one moment',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: 30, fallbackGrace: 20 } } },
    async run(trial) {
      if (trial.canMoveTime) for (let seed = 1; seed <= 5; seed++) await wander(trial, seed, 300);
      else await wander(trial, 1, 80);
    },
  },
];
