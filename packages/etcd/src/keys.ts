// The names of everything that is kept of a pool:
//
//   <prefix><pool>/pool                              the record of the pool; every grant compares it
//   <prefix><pool>/serial                            written with every grant: how often, is the serial (rule R7)
//   <prefix><pool>/held/service/<name>/<end>/<lease> who holds what, by its end, for quotas; the same for accounts
//   <prefix><pool>/slots/<generation>/…              the slots; each change of layout makes a generation (rule R4)
//     free/<freeFrom>/<slot>                         every slot that was ever used or is next, in the order of granting
//     slot/<slot>                                    when a slot that was ever used becomes free, and its lease
//     former/<id>/<bitSeq>                           leases of former layouts
//     answer/<request>/<created>                     the answers to requests (rule R8)
//     first                                          the key in `free` below which there is nothing
//     fresh                                          slots below this number are in `free`
//     stage                                          counts what a change of layout has written here so far
//
// No key has a lease of etcd's: when that ended, a window would be forgotten (rule R2).
import { createHash } from 'node:crypto';
import type { LeaseRecord, Quota } from 'kazahana/lease';
import { type KeyRange, under } from './kv.js';

/** Digits enough for any time in milliseconds, and for any machine number. */
const TIME_DIGITS = 16;
const NUMBER_DIGITS = 10;

/** Of the random names of generations: few, for they are in every key. */
export const GENERATION_DIGITS = 8;

const time = (ms: number) => String(ms).padStart(TIME_DIGITS, '0');
const number = (id: number) => String(id).padStart(NUMBER_DIGITS, '0');

/** A name as a part of a key: as it is where that is plain, otherwise every bit of it (lone surrogates are names, too). */
function part(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `~${Buffer.from(name, 'utf16le').toString('base64url')}`;
}

/** A request as a part of a key. */
export function requestHash(request: string): string {
  return createHash('sha256').update(Buffer.from(request, 'utf16le')).digest('base64url');
}

/** The parts of a lease by which quotas count it. */
type CountedLease = Pick<LeaseRecord, 'serviceId' | 'account' | 'fallbackUntil' | 'id' | 'bitSeq'>;

export class PoolKeys {
  readonly pool: string;
  readonly serial: string;
  readonly #root: string;

  constructor(prefix: string, name: string) {
    this.#root = `${prefix}${part(name)}/`;
    this.pool = `${this.#root}pool`;
    this.serial = `${this.#root}serial`;
  }

  /** All leases of a quota whose windows end after `now`, the first to end first. */
  heldAfter({ of, name }: Quota, now: number): KeyRange {
    const { from, to } = under(`${this.#root}held/${of}/${part(name)}/`);
    return { from: from + time(now + 1), to };
  }

  /** The end of a lease, from its key. */
  endOf(heldKey: string): number {
    return Number(heldKey.split('/').at(-2));
  }

  /** Where a lease is counted. */
  heldKeysOf({ serviceId, account, fallbackUntil, id, bitSeq }: CountedLease): string[] {
    const place = `${time(fallbackUntil)}/${number(id)}.${bitSeq}`;
    const service = `${this.#root}held/service/${part(serviceId)}/${place}`;
    return account === null ? [service] : [service, `${this.#root}held/account/${part(account)}/${place}`];
  }

  slots(generation: string): SlotKeys {
    return new SlotKeys(`${this.#root}slots/${generation}/`);
  }

  /** The keys of all generations but one. */
  slotsBeside(generation: string): readonly [KeyRange, KeyRange] {
    const all = under(`${this.#root}slots/`);
    const kept = under(`${this.#root}slots/${generation}/`);
    return [
      { from: all.from, to: kept.from },
      { from: kept.to, to: all.to },
    ];
  }
}

/** The keys of one generation of slots. */
export class SlotKeys {
  readonly first: string;
  readonly fresh: string;
  readonly stage: string;
  readonly allFree: KeyRange;
  readonly allSlots: KeyRange;
  readonly allFormer: KeyRange;
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    this.first = `${root}first`;
    this.fresh = `${root}fresh`;
    this.stage = `${root}stage`;
    this.allFree = under(`${root}free/`);
    this.allSlots = under(`${root}slot/`);
    this.allFormer = under(`${root}former/`);
  }

  free(freeFrom: number, slot: number): string {
    return `${this.#root}free/${time(freeFrom)}/${number(slot)}`;
  }

  readFree(key: string): { freeFrom: number; slot: number } {
    const [freeFrom, slot] = key.split('/').slice(-2);
    return { freeFrom: Number(freeFrom), slot: Number(slot) };
  }

  slot(slot: number): string {
    return `${this.#root}slot/${number(slot)}`;
  }

  readSlot(key: string): number {
    return Number(key.split('/').at(-1));
  }

  /** Slots from `from`, inclusively, to `to`, exclusively. */
  slotRange(from: number, to: number): KeyRange {
    return { from: this.slot(from), to: this.slot(to) };
  }

  formerOf(id: number): KeyRange {
    return under(`${this.#root}former/${number(id)}/`);
  }

  former({ id, bitSeq }: Pick<LeaseRecord, 'id' | 'bitSeq'>): string {
    return `${this.#root}former/${number(id)}/${bitSeq}`;
  }

  answersTo(request: string): KeyRange {
    return under(`${this.#root}answer/${requestHash(request)}/`);
  }

  /** By the hash of the request. */
  answer(hash: string, created: number): string {
    return `${this.#root}answer/${hash}/${time(created)}`;
  }
}
