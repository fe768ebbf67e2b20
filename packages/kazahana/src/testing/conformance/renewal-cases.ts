// Renewal in place: a holder goes on with its slot, in a full pool and in quarantine, and only the holder.
import { makeReport } from '../../lease/report.js';
import { signHold, signRelease } from '../../lease/signature.js';
import type { AcquireOptions, AcquireResponse, LeaseInfo, RenewalClaim } from '../../lease/types.js';
import { virtualEnvironment } from '../../virtual-environment.js';
import { check, equal, refusal } from './checks.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT, type Trial } from './subject.js';
import { WindowLedger } from './window-ledger.js';

/** The claims of a holder: one for each lease of a response, signed now. */
export async function claimsOf(
  trial: Trial,
  { leases, pool = '' }: AcquireResponse,
): Promise<RenewalClaim[]> {
  const now = await trial.now();
  return leases.map(({ id, bitId, bitSeq, created, expired, fallbackUntil = expired, secret, proof }) => {
    const timestamp = now ?? created;
    const signature = signHold(secret, id, timestamp);
    const window = { created, expired, fallbackUntil };
    return {
      pool,
      id,
      bitId,
      bitSeq,
      ...window,
      timestamp,
      signature,
      ...(proof !== undefined && { proof }),
    };
  });
}

/** The only lease of a response. */
export function only({ leases }: AcquireResponse): LeaseInfo {
  const [lease] = leases;
  check(lease !== undefined && leases.length === 1, `one lease was requested, ${leases.length} came`);
  return lease;
}

async function renew(
  trial: Trial,
  held: AcquireResponse,
  options: AcquireOptions = {},
): Promise<AcquireResponse> {
  return trial.acquire({ ...options, renew: await claimsOf(trial, held) });
}

const idsOf = ({ leases }: AcquireResponse) => leases.map(({ id }) => id).sort((a, b) => a - b);

const LONG_LEASES = { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } };

/** Changes of a claim that make it worthless: the caller gets a slot like any other. */
const WORTHLESS: readonly (readonly [
  what: string,
  change: (claim: RenewalClaim, lease: LeaseInfo) => object,
])[] = [
  ['no signature', () => ({ signature: '' })],
  [
    'a signature with another secret',
    ({ id, timestamp }) => ({ signature: signHold('0'.repeat(32), id, timestamp) }),
  ],
  [
    'the signature of a release',
    ({ id, timestamp }, { secret }) => ({ signature: signRelease(secret, id, timestamp) }),
  ],
  ['a signature for another time', ({ timestamp }) => ({ timestamp: timestamp + 1 })],
  [
    'a signature of a minute ago',
    ({ id, timestamp }, { secret }) => ({
      timestamp: timestamp - 60_000,
      signature: signHold(secret, id, timestamp - 60_000),
    }),
  ],
];

const BAD_CLAIMS: readonly ((claim: RenewalClaim) => unknown)[] = [
  () => 5,
  () => ({}),
  (claim) => claim,
  () => [null],
  () => [{}],
  (claim) => [{ ...claim, id: -1 }],
  (claim) => [{ ...claim, id: '0' }],
  (claim) => [{ ...claim, signature: 5 }],
  (claim) => [{ ...claim, created: 0.5 }],
  (claim) => [claim, { ...claim, fallbackUntil: null }],
  (claim) => [{ ...claim, pool: '' }],
  (claim) => [{ ...claim, proof: 5 }],
];

const REPORT = { ...makeReport(() => 0), leasedIds: 5, randomIds: 2, exhaustedMs: 1 };

/** Acquires, renewals, releases and time in any order; the ledger throws when two holders meet. */
async function wander(trial: Trial, seed: number, steps: number): Promise<void> {
  const environment = virtualEnvironment({ seed });
  const upTo = (limit: number) => (environment.random(new Uint8Array(1))[0] ?? 0) % limit;
  const ledger = new WindowLedger();
  let held: AcquireResponse[] = [];
  const grant = async (options: AcquireOptions, old?: AcquireResponse) => {
    try {
      const response = await trial.acquire(options);
      for (const lease of response.leases) {
        const before = old?.leases.find(({ id }) => id === lease.id);
        // A holder that is granted its own slot again ends the old lease where the new one begins.
        if (before) ledger.released(before, lease.created - 1);
        ledger.granted(lease);
      }
      held.push(response);
      return response.leases.map(({ id }) => id);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'POOL_EXHAUSTED') throw error;
      return [];
    }
  };
  for (let step = 0; step < steps; step++) {
    const choice = upTo(12);
    const mine = held[upTo(Math.max(1, held.length))];
    if (choice < 3) {
      await grant({ throughputPerMs: perSlot(1 + upTo(2)) });
    } else if (choice < 7 && mine) {
      // Also of leases that have ended, that were renewed before, and of which only a part was renewed.
      const claims = await claimsOf(trial, mine);
      await grant({ renew: claims, throughputPerMs: perSlot(1 + upTo(2)) }, mine);
      if (upTo(3) > 0) held = held.filter((other) => other !== mine);
    } else if (choice < 9 && mine) {
      held = held.filter((other) => other !== mine);
      const now = await trial.now();
      for (const lease of mine.leases) {
        const timestamp = (now ?? lease.created) - 3 + upTo(6);
        try {
          await trial.release(lease, timestamp);
          ledger.released(lease, timestamp);
        } catch (error) {
          const code = String((error as { code?: unknown }).code);
          if (code !== 'LEASE_NOT_FOUND' && code !== 'INVALID_SIGNATURE') throw error;
        }
      }
    } else {
      await trial.advance(upTo(25));
    }
  }
}

export const renewalCases: readonly CaseDefinition[] = [
  {
    name: 'a renewal keeps the machine ID, with a new window, a new secret and a higher serial',
    rule: 'R2',
    options: LONG_LEASES,
    async run(trial) {
      const first = await trial.acquire({ serviceId: 'orders', meta: { host: 'a' } });
      await trial.advance(5);
      const renewed = await renew(trial, first, { serviceId: 'orders', meta: { host: 'a' } });
      const [before, after] = [only(first), only(renewed)];
      equal('the machine ID', after.id, before.id);
      check(
        after.created >= before.created,
        `created must not be before ${before.created}, it is ${after.created}`,
      );
      equal('the length of the new lease', after.expired - after.created, LONG);
      check(after.secret !== before.secret, 'a renewed lease must have another secret');
      check((renewed.serial ?? 0) > (first.serial ?? 0), `serial must rise above ${first.serial}`);
      if (trial.provider.listLeases) {
        const listed = (await trial.provider.listLeases()).map(({ id, created }) => ({ id, created }));
        equal('the leases', listed, [{ id: after.id, created: after.created }]);
      }
      equal('the machine ID of another client', (await trial.lease()).id, 1);
    },
  },
  {
    name: 'in a full pool every holder can renew, and no other client gets a slot',
    rule: 'R2',
    options: LONG_LEASES,
    async run(trial) {
      const holders = [
        await trial.acquire(),
        await trial.acquire(),
        await trial.acquire(),
        await trial.acquire(),
      ];
      for (const held of holders) {
        const renewed = await renew(trial, held);
        equal('the machine ID', only(renewed).id, only(held).id);
        await trial.exhausted();
      }
    },
  },
  {
    name: 'a renewal of several leases keeps them all, and adds more where more is requested',
    rule: 'granting',
    options: LONG_LEASES,
    async run(trial) {
      const first = await trial.acquire({ throughputPerMs: perSlot(2) });
      const second = await renew(trial, first, { throughputPerMs: perSlot(2) });
      equal('the machine IDs', idsOf(second), idsOf(first));
      const third = await renew(trial, second, { throughputPerMs: perSlot(3) });
      equal('the machine IDs', idsOf(third), [0, 1, 2]);
      const fourth = await renew(trial, third, { throughputPerMs: perSlot(1) });
      equal('the number of leases when fewer are requested', fourth.leases.length, 1);
    },
  },
  {
    name: 'in quarantine a holder can renew, and a newcomer waits',
    rule: 'R7',
    options: LONG_LEASES,
    async run(trial) {
      const first = await trial.acquire();
      const { pool = '', serial = 0 } = first;
      await trial.exhausted({ seen: { pool, serial: serial + 3 } });
      const renewed = await renew(trial, first, { seen: { pool, serial } });
      equal('the machine ID', only(renewed).id, only(first).id);
      check(
        (renewed.serial ?? 0) > serial + 3,
        `serial must go on above ${serial + 3}, it is ${renewed.serial}`,
      );
      await trial.exhausted();
      equal('the machine ID', only(await renew(trial, renewed)).id, only(first).id);
    },
  },
  {
    name: 'in quarantine a lease that is about to end is not renewed: its slot may have been granted meanwhile',
    rule: 'R7',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: SHORT } } },
    async run(trial) {
      const first = await trial.acquire();
      const { pool = '', serial = 0 } = first;
      await trial.exhausted({ seen: { pool, serial: serial + 3 } });
      await trial.exhausted({ renew: await claimsOf(trial, first) });
    },
  },
  {
    name: 'a renewed lease cannot be released by its old secret, only by its new one',
    rule: 'R2',
    options: LONG_LEASES,
    async run(trial) {
      const first = await trial.acquire({ throughputPerMs: perSlot(4) });
      const renewed = await renew(trial, first, { throughputPerMs: perSlot(4) });
      equal('the number of leases', renewed.leases.length, 4);
      for (const lease of first.leases) {
        await refusal('a release by the old secret', ['INVALID_SIGNATURE', 'LEASE_NOT_FOUND'], () =>
          trial.release(lease, lease.created),
        );
      }
      await trial.exhausted();
      const [lease] = renewed.leases;
      check(lease !== undefined, 'there must be a lease');
      await trial.release(lease, lease.created - 1);
      equal('the machine ID that is free now', (await trial.lease()).id, lease.id);
    },
  },
  {
    name: 'a claim that is not signed by the holder is worthless: its caller is served like any other',
    rule: 'protocol',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const held = await trial.acquire();
      const lease = only(held);
      for (const [index, [what, change]] of WORTHLESS.entries()) {
        const [claim] = await claimsOf(trial, held);
        check(claim !== undefined, 'there must be a claim');
        const response = await trial.acquire({ renew: [{ ...claim, ...change(claim, lease) }] });
        equal(`the machine ID for a claim with ${what}`, idsOf(response), [index + 1]);
      }
      // The holder has lost nothing by it.
      await trial.release(lease, lease.created);
    },
  },
  {
    name: 'a lease that was released or renewed before cannot be renewed: its holder gets another',
    rule: 'R2',
    options: { services: { default: { leaseDuration: LONG } } },
    async run(trial) {
      const [released, renewed] = [await trial.acquire(), await trial.acquire()];
      await trial.release(only(released), only(released).created);
      equal('the machine ID after a release', idsOf(await renew(trial, released)), [2]);
      await renew(trial, renewed);
      equal('the machine ID after a renewal', idsOf(await renew(trial, renewed)), [3]);
      await trial.acquire();
    },
  },
  {
    name: 'a lease that was revoked cannot be renewed',
    rule: 'R2',
    options: LONG_LEASES,
    async run(trial) {
      const revoke = trial.needs('revoke');
      const revoked = await trial.acquire();
      await revoke({ id: only(revoked).id });
      equal('the machine ID', idsOf(await renew(trial, revoked)), [1]);
      await trial.acquire({ throughputPerMs: perSlot(2) });
      await trial.exhausted({ renew: await claimsOf(trial, revoked) });
    },
  },
  {
    name: 'a lease that has ended and whose slot has another holder cannot be renewed',
    rule: 'R2',
    options: {
      services: {
        default: { ...FOUR_SLOTS, leaseDuration: SHORT, fallbackGrace: 0 },
        long: { leaseDuration: LONG },
      },
    },
    async run(trial) {
      const ended = await trial.acquire();
      await trial.advance(SHORT);
      const others = await trial.acquire({ serviceId: 'long', throughputPerMs: perSlot(4) });
      equal('the machine IDs of others', idsOf(others), [0, 1, 2, 3]);
      await trial.exhausted({ renew: await claimsOf(trial, ended) });
    },
  },
  {
    name: 'a request to renew that comes again gets the same response',
    rule: 'R8',
    options: LONG_LEASES,
    async run(trial) {
      const first = await trial.acquire();
      const request = { requestId: 'request 1', renew: await claimsOf(trial, first) };
      const renewed = await trial.acquire(request);
      await trial.advance(5);
      const again = await trial.acquire(request);
      equal('the repeated leases', again.leases, renewed.leases);
      equal('isRepeated', [renewed.isRepeated ?? false, again.isRepeated ?? false], [false, true]);
      // Another request with the same claim is late: the secret is of no lease any more.
      equal('the machine ID', idsOf(await trial.acquire({ ...request, requestId: 'request 2' })), [1]);
    },
  },
  {
    name: 'a lease of a former layout is not renewed in place: its holder gets a slot of the present one',
    rule: 'R4',
    options: LONG_LEASES,
    async run(trial) {
      const changeLayout = trial.needs('changeLayout');
      const ledger = new WindowLedger();
      const held = await trial.acquire();
      ledger.granted(only(held));
      await changeLayout({ bitId: 4, bitSeq: 18 });
      const next = only(await renew(trial, held));
      equal('the width of the new lease', next.bitSeq, 18);
      ledger.granted(next);
      await trial.acquire();
    },
  },
  {
    name: 'a quota that is used up lets its holders renew, and counts them once',
    rule: 'quotas',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG, maxLeases: 2 } } },
    async run(trial) {
      const held = await trial.acquire({ throughputPerMs: perSlot(2) });
      const renewed = await renew(trial, held, { throughputPerMs: perSlot(3) });
      equal('the machine IDs', idsOf(renewed), [0, 1]);
      await trial.exhausted();
      equal('the machine IDs', idsOf(await renew(trial, renewed, { throughputPerMs: perSlot(2) })), [0, 1]);
    },
  },
  {
    name: 'whatever is acquired, renewed and released, two holders never share a machine ID at one moment',
    rule: 'R2',
    options: { services: { default: { ...FOUR_SLOTS, leaseDuration: 30, fallbackGrace: 20 } } },
    async run(trial) {
      if (trial.canMoveTime) for (let seed = 1; seed <= 3; seed++) await wander(trial, seed, 150);
      else await wander(trial, 1, 40);
    },
  },
  {
    name: 'what is no claim is refused, and nothing changes for it',
    rule: 'protocol',
    options: LONG_LEASES,
    async run(trial) {
      const held = await trial.acquire();
      const [claim] = await claimsOf(trial, held);
      check(claim !== undefined, 'there must be a claim');
      for (const bad of BAD_CLAIMS) {
        const options = { renew: bad(claim) } as AcquireOptions;
        await refusal(`acquire(${JSON.stringify(options)})`, [], () => trial.acquire(options));
      }
      equal('the machine ID of the holder', idsOf(await renew(trial, held)), [0]);
      equal('the next machine ID', (await trial.lease()).id, 1);
    },
  },
  {
    name: 'the counts of a client are taken with an acquire and with a release, and refused when they are none',
    rule: 'protocol',
    options: LONG_LEASES,
    async run(trial) {
      const bad = { ...REPORT, leasedIds: -1 };
      await refusal('an acquire with a bad report', [], () => trial.acquire({ report: bad }));
      const lease = only(await trial.acquire({ report: REPORT }));
      equal('the machine ID', lease.id, 0);
      const { id, secret, created: timestamp } = lease;
      const signature = signRelease(secret, id, timestamp);
      await refusal('a release with a bad report', [], () =>
        trial.provider.release({ id, timestamp, signature, report: bad }),
      );
      await trial.provider.release({ id, timestamp, signature, report: REPORT });
      await refusal('a second release', ['LEASE_NOT_FOUND'], () => trial.release(lease, timestamp));
    },
  },
];
