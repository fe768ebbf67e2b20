// Who made an ID: the holder of its slot at its time, as far as the pool remembers.
import { kazahanaIdLayout, makeLayout } from '../../id/layout.js';
import type { LeaseInfo, WhoisResult } from '../../lease/types.js';
import { check, equal, refusal } from './checks.js';
import { claimsOf, only } from './renewal-cases.js';
import { type CaseDefinition, FOUR_SLOTS, LONG, perSlot, SHORT } from './subject.js';

const OPTIONS = { services: { default: { ...FOUR_SLOTS, leaseDuration: LONG } } };
const ORDERS = { serviceId: 'orders', meta: { host: 'a', process: '7' } };
const SEQUENCE = 5;

/** An ID that the holder of a lease can make at a time; in the fallback half, if it is fenced then. */
function idOf(lease: LeaseInfo, unixMs = lease.created): bigint {
  const { id, customEpoch, bitId, expired } = lease;
  const machineId = unixMs < expired ? id : id + 2 ** (bitId - 1);
  const fields = { reserve: 0, timestamp: unixMs - customEpoch, machineId, sequence: SEQUENCE };
  return BigInt(kazahanaIdLayout(makeLayout((field) => lease[field])).encode(fields));
}

const makerOf = ({ maker }: WhoisResult) => maker && { serviceId: maker.serviceId, holder: maker.holder };
const ORDERS_MAKER = { serviceId: 'orders', holder: ORDERS.meta };

export const whoisCases: readonly CaseDefinition[] = [
  {
    name: 'an ID of a lease names its holder and its window, and no secret',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const whois = trial.needs('whois');
      const { leases } = await trial.acquire({ ...ORDERS, throughputPerMs: perSlot(2) });
      for (const lease of leases) {
        const found = await whois(idOf(lease));
        const { maker, ...rest } = found;
        equal('the ID', rest, {
          ...{
            pool: 'default',
            unixMs: lease.created,
            machineId: lease.id,
            sequence: SEQUENCE,
            isFallback: false,
          },
        });
        equal('the maker', makerOf(found), ORDERS_MAKER);
        equal('the beginning of the window', maker?.created, lease.created);
        check((maker?.end ?? 0) >= lease.expired, `the window must not end before ${lease.expired}, it does`);
        check(!JSON.stringify(found).includes(lease.secret), 'no response must show a secret');
      }
    },
  },
  {
    name: 'a fenced ID names the holder of the lease',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const whois = trial.needs('whois');
      const lease = only(await trial.acquire(ORDERS));
      const found = await whois(idOf(lease, lease.expired));
      equal('the maker', makerOf(found), ORDERS_MAKER);
      equal('what it is', [found.isFallback, found.machineId], [true, lease.id + 4]);
    },
  },
  {
    name: 'an ID of a released lease names its holder, to the end that was used and no further',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const whois = trial.needs('whois');
      const lease = only(await trial.acquire(ORDERS));
      const timestamp = lease.created + 20;
      await trial.release(lease, timestamp, 'orders');
      for (const time of [lease.created, timestamp]) {
        const found = await whois(idOf(lease, time));
        equal('the maker', makerOf(found), ORDERS_MAKER);
        equal('the end of the window', found.maker?.end, timestamp + 1);
      }
      equal('the maker of a later ID', (await whois(idOf(lease, timestamp + 1))).maker, null);
    },
  },
  {
    name: 'IDs of a lease and of its renewals name one window',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const whois = trial.needs('whois');
      let held = await trial.acquire(ORDERS);
      const first = only(held);
      for (let i = 0; i < 10; i++) {
        await trial.advance(2);
        held = await trial.acquire({ ...ORDERS, renew: await claimsOf(trial, held) });
      }
      const last = only(held);
      for (const id of [idOf(first), idOf(last), idOf(last, last.expired)]) {
        const { maker } = await whois(id);
        equal('the beginning of the window', maker?.created, first.created);
        check((maker?.end ?? 0) > last.expired, `the window must not end by ${last.expired}, it does`);
      }
    },
  },
  {
    name: 'holders of one slot, one after the other, are told apart by the time of the ID',
    rule: 'inspection',
    options: { services: { default: { bitId: 1, bitSeq: 21, leaseDuration: SHORT, fallbackGrace: 0 } } },
    async run(trial) {
      const whois = trial.needs('whois');
      const leases: LeaseInfo[] = [];
      for (const host of ['a', 'b', 'c']) {
        leases.push(only(await trial.acquire({ meta: { host } })));
        await trial.advance(SHORT);
      }
      const hosts = [];
      for (const lease of leases)
        hosts.push((await whois(idOf(lease, lease.expired - 1))).maker?.holder.host);
      equal('the hosts', hosts, ['a', 'b', 'c']);
    },
  },
  {
    name: 'an ID of a former layout names its holder',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const whois = trial.needs('whois');
      const changeLayout = trial.needs('changeLayout');
      const lease = (await trial.acquire({ ...ORDERS, throughputPerMs: perSlot(3) })).leases[2];
      check(lease !== undefined, 'there must be a third lease');
      await changeLayout({ bitId: 4, bitSeq: 18 });
      const found = await whois(idOf(lease));
      equal('the maker', makerOf(found), ORDERS_MAKER);
      equal('the machine ID', found.machineId, lease.id);
      await changeLayout({ bitId: 2, bitSeq: 20 });
      equal('the maker', makerOf(await whois(idOf(lease))), ORDERS_MAKER);
    },
  },
  {
    name: 'an ID that no holder can have made has no maker',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const whois = trial.needs('whois');
      const lease = only(await trial.acquire(ORDERS));
      const unknown = [
        idOf({ ...lease, id: 3 }),
        idOf(lease, lease.created - 1),
        idOf(lease, lease.fallbackUntil ?? lease.expired),
      ];
      for (const id of unknown) equal(`the maker of ${id}`, (await whois(id)).maker, null);
    },
  },
  {
    name: 'what is no ID is refused',
    rule: 'inspection',
    options: OPTIONS,
    async run(trial) {
      const whois = trial.needs('whois');
      for (const id of [-1n, 2n ** 64n]) await refusal(`whois(${id})`, [], () => whois(id));
      await refusal('whois in a pool that is not configured', [], () => whois(5n, 'no such pool'));
    },
  },
];
