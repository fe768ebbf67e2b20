// A suite is worth what it catches: drivers with one fault each, and the case that must find it.
import { describe, expect, it } from 'vitest';
import type { Changes, Facts, ReadSlot, StoredSlot, Wanted } from '../lease/driver.js';
import { MemoryDriver } from '../providers/memory-driver.js';
import { ConformanceError, leaseDriverConformance, virtualEnvironment } from './index.js';

type DriverClass = typeof MemoryDriver;

/** What a broken driver makes of what is requested of it, of what it finds, and of what it should keep. */
interface Fault {
  wanted?(wanted: Wanted): Wanted;
  facts?(facts: Facts, wanted: Wanted, truth: Truth): Facts | Promise<Facts>;
  changes?(changes: Changes, truth: Truth): Changes | Promise<Changes>;
}

/** Reads what is really there, now. */
type Truth = (wanted: Partial<Wanted>) => Promise<Facts>;

const NOTHING: Wanted = { slots: [], requests: [], quotas: [] };

function broken(fault: Fault): DriverClass {
  return class extends MemoryDriver {
    #truth(pool: string): Truth {
      return (wanted) => super.read(pool, { ...NOTHING, ...wanted });
    }

    override async read(pool: string, wanted: Wanted): Promise<Facts> {
      const facts = await super.read(pool, fault.wanted?.(wanted) ?? wanted);
      return fault.facts?.(facts, wanted, this.#truth(pool)) ?? facts;
    }

    override async write(pool: string, changes: Changes, facts: Facts) {
      for (let attempt = 0; ; attempt++) {
        const altered = (await fault.changes?.(changes, this.#truth(pool))) ?? changes;
        const outcome = await super.write(pool, altered, facts);
        // A fault that looks up the present state to get past a comparison looks again when many do so at once.
        if (outcome !== 'changed' || attempt === 20) return outcome;
      }
    }
  };
}

/** UTF-8 has no halves of characters. */
const inUtf8 = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));

type SlotChange = Changes['slots'][number];

/** Changes every slot of a write. */
const eachSlot =
  (after: (after: StoredSlot, before: ReadSlot) => StoredSlot) =>
  (changes: Changes): Changes => ({
    ...changes,
    slots: changes.slots.map((change) => ({ ...change, after: after(change.after, change.before) })),
  });

/** Takes the present version of those slots that it does not compare. */
const notComparing =
  (isIgnored: (before: ReadSlot, now: ReadSlot | undefined) => boolean) =>
  async (changes: Changes, truth: Truth): Promise<Changes> => {
    const { slots } = await truth({ slots: changes.slots.map(({ before }) => before) });
    const forgive = ({ before, after }: SlotChange): SlotChange => {
      const now = slots.find(
        ({ slot, generation }) => slot === before.slot && generation === before.generation,
      );
      return {
        before: isIgnored(before, now) ? { ...before, version: now?.version ?? null } : before,
        after,
      };
    };
    return { ...changes, slots: changes.slots.map(forgive) };
  };

const inFree = (wanted: Wanted, change: Partial<NonNullable<Wanted['free']>>): Wanted =>
  wanted.free ? { ...wanted, free: { ...wanted.free, ...change } } : wanted;

/** Keeps a part of every write that it refuses. */
const keepingPartly = (part: (changes: Changes) => Partial<Changes>): DriverClass =>
  class extends MemoryDriver {
    override async write(pool: string, changes: Changes, facts: Facts) {
      const outcome = await super.write(pool, changes, facts);
      const { poolVersion } = changes;
      const nothing = {
        poolVersion,
        grants: 0,
        serialAtLeast: 0,
        slots: [],
        responses: [],
        forget: [],
        quotas: [],
      };
      if (outcome === 'changed') await super.write(pool, { ...nothing, ...part(changes) }, facts);
      return outcome;
    }
  };

type Row = readonly [fault: string, rule: string, caughtBy: string, Driver: DriverClass];

const rows: readonly Row[] = [
  [
    'does not compare slots',
    'R2',
    'twenty turns at once that each take a slot take twenty different ones',
    broken({ changes: notComparing(() => true) }),
  ],
  [
    'compares slots by freeFrom only',
    'R2',
    'a write is refused as a whole when one of its slots was written.',
    broken({ changes: notComparing((before, now) => before.freeFrom === now?.freeFrom) }),
  ],
  [
    'takes a slot that was never written without comparing',
    'R2',
    'when one of its slots was written for the first time',
    broken({ changes: notComparing(({ version }) => version === null) }),
  ],
  [
    'takes a slot that is gone without comparing',
    'R2',
    'when one of its slots was dropped',
    broken({ changes: notComparing((_before, now) => now === undefined) }),
  ],
  [
    'compares the record of a pool only when that changes',
    'R4',
    'when the record of the pool was replaced, even if',
    broken({
      async changes(changes, truth) {
        if (changes.pool !== undefined) return changes;
        return { ...changes, poolVersion: (await truth({})).pool?.version ?? null };
      },
    }),
  ],
  [
    'lets two create a pool',
    'R7',
    'a pool that many create at once is created once',
    broken({
      async changes(changes, truth) {
        return { ...changes, poolVersion: (await truth({})).pool?.version ?? null };
      },
    }),
  ],
  [
    'does not compare responses',
    'R8',
    'a request that comes many times at once is granted once',
    broken({
      async changes(changes, truth) {
        const { responses } = await truth({ requests: changes.responses.map(({ after }) => after.request) });
        const timeOf = (name: string) => responses.find(({ request }) => request === name)?.created ?? null;
        const forgiven = changes.responses.map(({ after }) => ({ before: timeOf(after.request), after }));
        return { ...changes, responses: forgiven };
      },
    }),
  ],
  [
    'does not compare quotas',
    'quotas',
    'a quota holds when many use it up at once',
    broken({ changes: (changes) => ({ ...changes, quotas: [] }) }),
  ],
  [
    'compares quotas at the time of the write',
    'quotas',
    'a quota is compared at the time of the read',
    class extends MemoryDriver {
      override async write(pool: string, changes: Changes, facts: Facts) {
        const { now } = await this.read(pool, NOTHING);
        return super.write(pool, changes, { ...facts, now });
      }
    },
  ],
  [
    'keeps the slots of a write that it refuses',
    'R8',
    'a write is refused as a whole when a request that had no response has one',
    keepingPartly(({ slots }) => ({ slots })),
  ],
  [
    'raises the serial for a write that it refuses',
    'R2',
    'a write is refused as a whole when one of its slots was written.',
    keepingPartly(({ grants, serialAtLeast }) => ({ grants, serialAtLeast })),
  ],
  [
    'forgets responses for a write that it refuses',
    'quotas',
    'a write is refused as a whole when one of its quotas counts more',
    keepingPartly(({ forget }) => ({ forget })),
  ],
  [
    'reads in two steps',
    'storage',
    'facts are all of one moment',
    broken({
      async facts(facts, wanted, truth) {
        for (let tick = 0; tick < 10; tick++) await null;
        const { slots } = await truth({ slots: wanted.slots });
        return wanted.slots.length > 0 ? { ...facts, slots } : facts;
      },
    }),
  ],
  [
    'orders by number only',
    'granting',
    'written slots follow by freeFrom',
    broken({ facts: (facts) => ({ ...facts, free: facts.free.toSorted((a, b) => a.slot - b.slot) }) }),
  ],
  [
    'orders the numbers of slots as texts',
    'granting',
    'by number, not by text',
    broken({
      facts(facts) {
        const text = ({ version, freeFrom, slot }: ReadSlot) =>
          version === null ? '' : `${String(freeFrom).padStart(16, '0')} ${slot}`;
        return { ...facts, free: facts.free.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)) };
      },
    }),
  ],
  [
    'ignores skip',
    'granting',
    'skip leaves out so many',
    broken({ wanted: (wanted) => inFree(wanted, { skip: 0 }) }),
  ],
  [
    'ignores where a share begins',
    'granting',
    'from and to bound both kinds of slots',
    broken({ wanted: (wanted) => inFree(wanted, { from: 0 }) }),
  ],
  [
    'gives no more than a hundred slots',
    'granting',
    'a list shorter than count means that there are no more',
    broken({ facts: (facts) => ({ ...facts, free: facts.free.slice(0, 100) }) }),
  ],
  [
    'loses the slots that were skipped',
    'granting',
    'every slot can be had',
    class extends MemoryDriver {
      override async read(pool: string, wanted: Wanted) {
        const facts = await super.read(pool, wanted);
        const highest = (await this.list(pool, wanted.free?.generation ?? '', -1, 1000)).at(-1)?.slot ?? 0;
        return {
          ...facts,
          free: facts.free.filter(({ version, slot }) => version !== null || slot >= highest),
        };
      }
    },
  ],
  [
    'keeps the first freeFrom of a slot',
    'R2',
    'a slot is written again and again',
    broken({
      changes: eachSlot((after, before) => ({
        ...after,
        freeFrom: before.version === null ? after.freeFrom : before.freeFrom,
      })),
    }),
  ],
  [
    'keeps times as doubles with fourteen digits',
    'R2',
    'numbers are kept to the last digit',
    broken({
      changes: eachSlot((after) => ({ ...after, freeFrom: Number(after.freeFrom.toPrecision(14)) })),
    }),
  ],
  [
    'mixes generations',
    'R4',
    'the slots of two generations do not mix',
    broken({
      wanted: (wanted) => ({
        ...inFree(wanted, { generation: '' }),
        slots: wanted.slots.map((key) => ({ ...key, generation: '' })),
      }),
      changes: (changes) => ({
        ...changes,
        slots: changes.slots.map(({ before, after }) => ({
          before: { ...before, generation: '' },
          after: { ...after, generation: '' },
        })),
      }),
    }),
  ],
  [
    'does not raise the serial to serialAtLeast',
    'R7',
    'the serial becomes max(serial, serialAtLeast) + grants',
    broken({ changes: (changes) => ({ ...changes, serialAtLeast: 0 }) }),
  ],
  [
    'returns the serial that it read',
    'R7',
    'the serial becomes max(serial, serialAtLeast) + grants',
    class extends MemoryDriver {
      override async write(pool: string, changes: Changes, facts: Facts) {
        const outcome = await super.write(pool, changes, facts);
        return outcome === 'changed' ? outcome : { serial: facts.serial };
      }
    },
  ],
  [
    'does not bring the slots of responses',
    'R8',
    'a response is read back by its request, and its slots come along',
    broken({
      facts: (facts, wanted) => ({
        ...facts,
        slots: facts.slots.filter(({ slot }) => wanted.slots.some((key) => key.slot === slot)),
      }),
    }),
  ],
  [
    'forgets a response of another time',
    'R8',
    'a response is forgotten by request and time, and only by both',
    broken({
      async changes(changes, truth) {
        const { responses } = await truth({ requests: changes.forget.map(({ request }) => request) });
        return { ...changes, forget: responses };
      },
    }),
  ],
  [
    'counts slots that have ended',
    'quotas',
    'a quota counts the slots that name it and end after now',
    class extends MemoryDriver {
      override async read(pool: string, wanted: Wanted) {
        const facts = await super.read(pool, wanted);
        const slots = await this.list(pool, 'generation', -1, 100);
        const all = (quota: string) => slots.filter(({ quotas }) => quotas.includes(quota)).length;
        return { ...facts, quotas: facts.quotas.map((count) => ({ ...count, count: all(count.quota) })) };
      }
    },
  ],
  [
    'counts a slot for the quotas of its first holder',
    'quotas',
    'a quota follows its slots when their time or their quotas change',
    broken({
      changes: eachSlot((after, before) => ({
        ...after,
        quotas: before.version === null ? after.quotas : before.quotas,
      })),
    }),
  ],
  [
    'lists slots in the order in which they become free',
    'inspection',
    'a list has the written slots of a generation by number, in pages',
    class extends MemoryDriver {
      override async list(pool: string, generation: string, after: number, limit: number) {
        const slots = await super.list(pool, generation, after, 1000);
        return slots.toSorted((a, b) => a.freeFrom - b.freeFrom).slice(0, limit);
      }
    },
  ],
  [
    'keeps names in UTF-8',
    'storage',
    'requests may have any name',
    broken({
      wanted: (wanted) => ({ ...wanted, requests: wanted.requests.map((name) => inUtf8(name)) }),
      changes: (changes) => ({
        ...changes,
        responses: changes.responses.map(({ before, after }) => ({
          before,
          after: { ...after, request: inUtf8(after.request) },
        })),
      }),
    }),
  ],
  [
    'ends names at a zero',
    'storage',
    'pools may have any name',
    class extends MemoryDriver {
      override read(pool: string, wanted: Wanted) {
        return super.read(pool.split('\0', 1).join(), wanted);
      }

      override write(pool: string, changes: Changes, facts: Facts) {
        return super.write(pool.split('\0', 1).join(), changes, facts);
      }
    },
  ],
  [
    'keeps a generation that it should drop',
    'R4',
    'a generation that is dropped is gone, and nothing else',
    class extends MemoryDriver {
      override async drop() {}
    },
  ],
  [
    'tells another incarnation at every read',
    'R7',
    'tell the same incarnation, and tell it again',
    class extends MemoryDriver {
      #reads = 0;

      override async read(pool: string, wanted: Wanted) {
        this.incarnation = { id: String(this.#reads++), mayLose: false };
        return super.read(pool, wanted);
      }
    },
  ],
  [
    'writes to one life of the store what it read from another',
    'R7',
    'what was read from one life of the store is not written to another',
    class extends MemoryDriver {
      override write(pool: string, changes: Changes, facts: Facts) {
        const { incarnation } = this;
        return super.write(pool, changes, { ...facts, ...(incarnation && { incarnation }) });
      }
    },
  ],
];

describe('the suite finds a driver that', () => {
  for (const [fault, rule, caughtBy, Driver] of rows) {
    it(fault, async () => {
      const cases = leaseDriverConformance(async () => {
        const environment = virtualEnvironment();
        const { now, advance } = environment;
        const driver = new Driver({ environment });
        const backup = async () => {
          const copy = driver.snapshot();
          return async () => {
            driver.restore(copy);
            driver.incarnation = { id: 'another', mayLose: true };
          };
        };
        return { driver, now, advance, backup };
      });
      // A full stop ends a name that is the beginning of others, too.
      const found = cases.filter(({ name }) => `${name}.`.includes(caughtBy));
      expect(found).toHaveLength(1);
      const error: unknown = await found[0]?.run().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConformanceError);
      expect((error as Error).message).toMatch(new RegExp(`^${rule}: .`));
    });
  }
});
