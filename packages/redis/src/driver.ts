// Keeps pools in Redis and finds what the engine wants; the engine decides. A read is one script, a write another, which
// compares what the decision rests on and keeps everything or nothing.
import type { Changes, Environment, Facts, LeaseDriver, ReadSlot, Wanted } from 'kazahana/lease';
import { randomHex } from 'kazahana/lease';
import { poolKeys, toField, toWord } from './keys.js';
import { readResponse, readSlot, type SlotText, writeArguments } from './records.js';
import type { ScriptRunner } from './script-runner.js';
import { CONFIRM, LIST, READ, REMOVE, UNLINK, WRITE } from './scripts.js';
import type { ServerCheck } from './server-check.js';

type Text = string | null;
type ReadResponse = readonly [
  now: string,
  pool: readonly [data: Text, version: Text, serial: Text, life: Text],
  free: readonly SlotText[],
  slots: readonly SlotText[],
  responses: readonly Text[],
  quotas: readonly (readonly [count: number, firstEnd: string])[],
  held: number,
  info: Text,
];

const NO_SLOTS = { generation: '', from: 0, to: 0, skip: 0, count: 0 };
const DROPPED_AT_ONCE = 1000;
/** Never the same twice: a version that came back could stand for something else. */
const VERSION_BYTES = 8;

export class RedisDriver implements LeaseDriver {
  /** So many, which are all of a default pool, keep Redis busy for some 100 ms. */
  readonly maxSlotsPerWrite = 8192;
  readonly #prefix: string;
  readonly #environment: Environment;
  readonly #scripts: ScriptRunner;
  readonly #check: ServerCheck;

  constructor(prefix: string, environment: Environment, scripts: ScriptRunner, check: ServerCheck) {
    this.#prefix = prefix;
    this.#environment = environment;
    this.#scripts = scripts;
    this.#check = check;
  }

  /** Resolves when the server of a pool may keep it, to whether it allows INFO. */
  ready(pool: string): Promise<boolean> {
    return this.#check.pass(this.#keys(pool).pool);
  }

  async read(pool: string, wanted: Wanted): Promise<Facts> {
    const names = this.#keys(pool);
    const { free = NO_SLOTS, slots, requests, quotas } = wanted;
    const keys = [names.pool, names.slots, names.responses, names.gaps(free.generation)];
    keys.push(names.order(free.generation), names.order(wanted.held ?? ''), ...quotas.map(names.quota));
    const told = {
      ...{ ...free, generation: toWord(free.generation), info: await this.ready(pool) },
      ...{ fields: slots.map(toField), requests: requests.map(toWord) },
    };
    const response = (await this.#scripts.run(READ, keys, [JSON.stringify(told)])) as ReadResponse;
    const [time, [data, version, serial, life], freeSlots, readSlots, kept, counts, held, info] = response;
    const now = Number(time);
    const record = data === null || version === null ? null : { data: JSON.parse(data) as string, version };
    const incarnation = info && (await this.#check.incarnation(names.pool, info, life, now));
    // The map leaves out what came twice.
    const found = [...new Map(readSlots)].filter(([, value]) => value !== null);
    return {
      ...{ now, pool: record, serial: record ? Number(serial) : 0, ...(incarnation && { incarnation }) },
      ...{ free: freeSlots.map(readSlot), slots: found.map(readSlot) },
      responses: requests.flatMap((request, i) => (kept[i] ? [readResponse(request, kept[i])] : [])),
      quotas: counts.map(([count, end], i) => ({ quota: quotas[i] ?? '', count, firstEnd: Number(end) })),
      held: wanted.held === undefined ? 0 : held,
    };
  }

  async write(pool: string, changes: Changes, facts: Facts): Promise<{ serial: number } | 'changed'> {
    const version = randomHex(this.#environment, VERSION_BYTES);
    const { keys, args } = writeArguments(this.#keys(pool), changes, facts, version);
    const serial = await this.#scripts.runAndWait(WRITE, keys, args);
    return serial === null ? 'changed' : { serial: Number(serial) };
  }

  async confirm(pool: string): Promise<void> {
    if (this.#scripts.waits) await this.#scripts.runAndWait(CONFIRM, [this.#keys(pool).pool], []);
  }

  async list(pool: string, generation: string, after: number, limit: number): Promise<readonly ReadSlot[]> {
    const { gaps, slots } = this.#keys(pool);
    const args = [toWord(generation), String(after), String(limit)];
    const found = await this.#scripts.run(LIST, [gaps(generation), slots], args);
    return (found as readonly SlotText[]).map(readSlot);
  }

  async drop(pool: string, generation: string): Promise<void> {
    const { slots, quota, order, gaps } = this.#keys(pool);
    for (let after = -1; ; ) {
      const page = await this.list(pool, generation, after, DROPPED_AT_ONCE);
      const last = page.at(-1);
      if (!last) break;
      const quotas = new Set(page.flatMap((slot) => slot.quotas));
      await this.#scripts.run(REMOVE, [slots, ...[...quotas].map(quota)], page.map(toField));
      after = last.slot;
    }
    await this.#scripts.run(UNLINK, [order(generation), gaps(generation)], []);
  }

  #keys(pool: string) {
    return poolKeys(this.#prefix, pool);
  }
}
