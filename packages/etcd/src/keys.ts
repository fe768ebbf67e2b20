// The names of everything that is kept of a pool:
//
//   <prefix><pool>/pool                     the record of the pool, in any format; every write compares it
//   <prefix><pool>/1/serial/<power of two>  how often it was written, is how often it counts (rule R7)
//   <prefix><pool>/1/response/<request>/<created>
//   <prefix><pool>/1/quota/<quota>/<freeFrom>/<generation>/<slot>
//   <prefix><pool>/1/slots/<generation>/…   the slots of one layout (rule R4)
//     slot/<slot>                           every slot that was ever written
//     order/<freeFrom>/<slot>               the same ones in the order of granting
//     late                                  written with each slot that joins the order far back
//
// The 1 is the number of this format. No key has a lease of etcd's: when that ended, a window would be forgotten
// (rule R2).
import { createHash } from 'node:crypto';
import type { SlotKey, StoredSlot } from 'kazahana/lease';
import { type KeyRange, under } from './kv.js';

/** Digits enough for any time in milliseconds, and for any slot. */
const TIME_DIGITS = 16;
const SLOT_DIGITS = 10;
const MAX_PLAIN = 64;

const time = (ms: number) => String(ms).padStart(TIME_DIGITS, '0');
const number = (slot: number) => String(slot).padStart(SLOT_DIGITS, '0');

/** A name as a part of a key: as it is where that is plain and short, otherwise its hash (lone surrogates are names, too). */
function part(name: string): string {
  if (name.length <= MAX_PLAIN && /^[\w.-]+$/.test(name)) return name;
  return `~${createHash('sha256').update(Buffer.from(name, 'utf16le')).digest('base64url')}`;
}

/** What the parts of a key say, from its end. */
const partIn = (key: string, place: number) => Number(key.split('/').at(place));
export const lastIn = (key: string) => partIn(key, -1);
export const freeFromIn = (orderKey: string) => partIn(orderKey, -2);
export const endIn = (quotaKey: string) => partIn(quotaKey, -3);

export class PoolKeys {
  readonly pool: string;
  readonly serial: KeyRange;
  readonly allQuotas: KeyRange;
  readonly #root: string;

  constructor(prefix: string, name: string) {
    this.#root = `${prefix}${part(name)}/1/`;
    this.pool = `${prefix}${part(name)}/pool`;
    this.serial = under(`${this.#root}serial/`);
    this.allQuotas = under(`${this.#root}quota/`);
  }

  slots(generation: string): string {
    return `${this.#root}slots/${part(generation)}/`;
  }

  slot({ generation, slot }: SlotKey): string {
    return `${this.slots(generation)}slot/${number(slot)}`;
  }

  /** Slots from `from` on, to before `to` where it is given. */
  slotsFrom(generation: string, from: number, to?: number): KeyRange {
    const all = under(`${this.slots(generation)}slot/`);
    return { from: all.from + number(from), to: to === undefined ? all.to : all.from + number(to) };
  }

  late(generation: string): string {
    return `${this.slots(generation)}late`;
  }

  /** Places of slots that become free from `from` on, to before `to` where it is given. */
  orderFrom(generation: string, from: number, to?: number): KeyRange {
    const all = under(`${this.slots(generation)}order/`);
    return { from: all.from + time(from), to: to === undefined ? all.to : all.from + time(to) };
  }

  /** The keys by which a slot is found, beside its own. */
  indexOf({ generation, slot, freeFrom, quotas }: StoredSlot): string[] {
    const order = `${this.slots(generation)}order/${time(freeFrom)}/${number(slot)}`;
    const place = `${time(freeFrom)}/${part(generation)}/${number(slot)}`;
    return [order, ...quotas.map((quota) => `${this.#root}quota/${part(quota)}/${place}`)];
  }

  /** The slots of a quota that end after `now`, the first to end first. */
  countedAfter(quota: string, now: number): KeyRange {
    const { from, to } = under(`${this.#root}quota/${part(quota)}/`);
    return { from: from + time(now + 1), to };
  }

  /** The keys of the powers of two that add up to so many grants. */
  powersOf(grants: number): string[] {
    const digits = [...grants.toString(2)].reverse();
    return digits.flatMap((digit, place) => (digit === '1' ? `${this.#root}serial/${2 ** place}` : []));
  }

  responsesTo(request: string): KeyRange {
    return under(`${this.#root}response/${part(request)}/`);
  }

  response(request: string, created: number): string {
    return `${this.#root}response/${part(request)}/${time(created)}`;
  }
}
