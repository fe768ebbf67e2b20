// Keys, values and transactions as the gateway wants them: bytes in base64, 64-bit numbers as texts, zeros left out.
import type { Gateway } from './gateway.js';

/** A key with its value, the revision that wrote it last, and how often it was written. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly revision: number;
  readonly version: number;
}

export interface Found {
  readonly kvs: readonly KeyValue[];
  /** How many there are in the range, beyond any limit. */
  readonly count: number;
}

export const lastRevision = ({ kvs }: Found) => Math.max(0, ...kvs.map(({ revision }) => revision));

/** From `from`, inclusively, to `to`, exclusively, in the order of bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

type Keys = string | KeyRange;
type ReadOptions = { limit?: number; keysOnly?: boolean };
/** For reads that only count: the first key comes along. */
export const COUNT = { limit: 1, keysOnly: true };
/** Parts of a request, as etcd defines them. */
export type Compare = object;
export type Operation = Readonly<Record<string, object>>;

const toBase64 = (text: string) => Buffer.from(text).toString('base64');
const fromBase64 = (text = '') => Buffer.from(text, 'base64').toString();

function toWire(keys: Keys): object {
  if (typeof keys === 'string') return { key: toBase64(keys) };
  return { key: toBase64(keys.from), range_end: toBase64(keys.to) };
}

/** All keys that start so; a prefix has a slash at its end. */
export function under(prefix: string): KeyRange {
  // '0' is the character after the slash.
  return { from: prefix, to: `${prefix.slice(0, -1)}0` };
}

function compare(keys: Keys, result: string, revision: number): Compare {
  return { ...toWire(keys), target: 'MOD', result, mod_revision: String(revision) };
}

/** The key has not been written since; 0: none of the keys exists. */
export const isAt = (keys: Keys, revision: number) => compare(keys, 'EQUAL', revision);
/** It has this value; a key that does not exist has none. */
export const has = (key: string, text: string) => ({
  ...toWire(key),
  target: 'VALUE',
  value: toBase64(text),
});
export const exists = (key: string) => compare(key, 'GREATER', 0);
/** None of the keys has been written since. One that was deleted is not noticed. */
export const nothingSince = (keys: KeyRange, revision: number) => compare(keys, 'LESS', revision + 1);

export function put(key: string, value: string): Operation {
  return { request_put: { key: toBase64(key), value: toBase64(value) } };
}

export const remove = (key: string): Operation => ({ request_delete_range: toWire(key) });
/** A read inside a transaction, which sees what the transaction has written before. */
export const get = (keys: KeyRange): Operation => ({ request_range: toWire(keys) });

/** etcd's default for `--max-txn-ops`. */
const MAX_OPERATIONS = 128;

/** All of the operations, if all compares hold; otherwise none. Without compares, it may happen twice. */
export function transact(gateway: Gateway, compares: readonly Compare[], operations: readonly Operation[]) {
  const kind = compares.length > 0 ? 'once' : 'repeatable';
  return send(gateway, kind, { compare: compares, success: nest(operations, compares.length) });
}

/**
 * As many operations as there are, in a form that etcd takes: it allows so many at one level, and below each of them
 * a transaction of as many as its level has left.
 */
export function nest(operations: readonly Operation[], compares: number): readonly Operation[] {
  if (operations.length <= MAX_OPERATIONS) return operations;
  const level = Math.max(compares, MAX_OPERATIONS / 2);
  const size = MAX_OPERATIONS - level;
  const groups = Math.ceil(operations.length / size);
  if (groups > level)
    throw new RangeError(`${operations.length} operations are too many for one transaction`);
  return Array.from({ length: groups }, (_, group) => ({
    request_txn: { success: operations.slice(group * size, (group + 1) * size) },
  }));
}

/** Reads that belong together: all at one revision, in as many requests as it takes. */
export class Reads {
  readonly #ranges: object[] = [];
  #found: readonly Found[] = [];

  /** Adds a read. What it returns tells what was found, after `send`. */
  ask(keys: Keys, { limit = 0, keysOnly = false }: ReadOptions = {}): () => Found {
    const place = this.#ranges.push({ ...toWire(keys), limit: String(limit), keys_only: keysOnly }) - 1;
    return () => this.#found[place] ?? { kvs: [], count: 0 };
  }

  /** The newest revision when none is given. */
  async send(gateway: Gateway, revision = 0): Promise<TransactionResult> {
    const results: TransactionResult[] = [];
    do {
      const part = this.#ranges.splice(0, MAX_OPERATIONS);
      const at = String(revision || (results[0]?.revision ?? 0));
      const success = part.map((read) => ({ request_range: { ...read, revision: at } }));
      results.push(await send(gateway, 'repeatable', { success }));
    } while (this.#ranges.length > 0);
    this.#found = results.flatMap(({ found }) => found);
    return results[0] as TransactionResult;
  }
}

/** A read alone. */
export async function read(gateway: Gateway, keys: Keys, options: ReadOptions, revision = 0) {
  const reads = new Reads();
  const found = reads.ask(keys, options);
  await reads.send(gateway, revision);
  return found();
}

interface WireResponse {
  readonly response_range?: { kvs?: Record<string, string>[]; count?: string };
  readonly response_txn?: { responses?: WireResponse[] };
}

interface WireTransaction {
  readonly header: { readonly revision: string; readonly cluster_id: string };
  readonly responses?: readonly WireResponse[];
}

interface TransactionResult {
  /** The revision that it made, or that it saw. */
  readonly revision: number;
  readonly clusterId: string;
  /** What each read found, in order; nothing when a compare did not hold. */
  readonly found: readonly Found[];
}

async function send(
  gateway: Gateway,
  kind: 'once' | 'repeatable',
  request: object,
): Promise<TransactionResult> {
  const { header, responses } = await gateway.send<WireTransaction>('/v3/kv/txn', request, kind);
  return { revision: Number(header.revision), clusterId: header.cluster_id, found: flatten(responses) };
}

function flatten(responses: readonly WireResponse[] = []): Found[] {
  return responses.flatMap(({ response_txn: transaction, response_range: range }) => {
    if (transaction) return flatten(transaction.responses);
    return range ? [{ kvs: (range.kvs ?? []).map(toKeyValue), count: Number(range.count ?? 0) }] : [];
  });
}

function toKeyValue({ key, value, mod_revision, version }: Record<string, string>): KeyValue {
  const [revision, times] = [Number(mod_revision), Number(version)];
  return { key: fromBase64(key), value: fromBase64(value), revision, version: times };
}
