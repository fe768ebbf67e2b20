// Keys, values and transactions as the gateway wants them: bytes in base64, 64-bit numbers as texts, zeros left out.
import type { Answer, Gateway } from './gateway.js';

/** A key with its value, its place in history, and how often it was written. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

export interface RangeResult {
  readonly kvs: readonly KeyValue[];
  /** How many there are in the range, beyond any limit. */
  readonly count: number;
}

/** From `from`, inclusively, to `to`, exclusively, in the order of bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

export type Compare = object & { readonly target: 'MOD' | 'VALUE' };
export type Operation =
  | { readonly request_range: object }
  | { readonly request_put: object }
  | { readonly request_delete_range: object }
  | {
      readonly request_txn: { readonly compare: readonly Compare[]; readonly success: readonly Operation[] };
    };

const toBase64 = (text: string) => Buffer.from(text).toString('base64');
const fromBase64 = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString();

/** All keys that start so; a prefix has a slash at its end. */
export function under(prefix: string): KeyRange {
  // '0' is the character after the slash.
  return { from: prefix, to: `${prefix.slice(0, -1)}0` };
}

export function isIn(key: string, { from, to }: KeyRange): boolean {
  return from <= key && key < to;
}

/** The key has not been written since; 0: it does not exist. */
export function isAt(key: string, revision: number): Compare {
  return { key: toBase64(key), target: 'MOD', result: 'EQUAL', mod_revision: String(revision) } as Compare;
}

/** No key of the range has been written since. One that was deleted is not noticed. */
export function nothingSince({ from, to }: KeyRange, revision: number): Compare {
  const range = { key: toBase64(from), range_end: toBase64(to) };
  return { ...range, target: 'MOD', result: 'LESS', mod_revision: String(revision + 1) } as Compare;
}

/** The key exists, and its value is this or comes before it. */
export function isUpTo(key: string, value: string): Compare {
  // The first text after it.
  const bound = toBase64(`${value}\0`);
  return { key: toBase64(key), target: 'VALUE', result: 'LESS', value: bound } as Compare;
}

export function put(key: string, value: string): Operation {
  return { request_put: { key: toBase64(key), value: toBase64(value) } };
}

/** A put that answers with the key as it was before. */
export function putAndGet(key: string, value: string): Operation {
  return { request_put: { key: toBase64(key), value: toBase64(value), prev_kv: true } };
}

export function remove(key: string): Operation {
  return { request_delete_range: { key: toBase64(key) } };
}

export function removeAll({ from, to }: KeyRange): Operation {
  return { request_delete_range: { key: toBase64(from), range_end: toBase64(to) } };
}

export interface ReadOptions {
  readonly limit?: number;
  readonly keysOnly?: boolean;
  /** As it was then; the newest when left out. */
  readonly revision?: number;
}

export function get(key: string, options: ReadOptions = {}): Operation {
  return { request_range: { key: toBase64(key), ...readOptions(options) } };
}

export function getAll({ from, to }: KeyRange, options: ReadOptions = {}): Operation {
  return { request_range: { key: toBase64(from), range_end: toBase64(to), ...readOptions(options) } };
}

function readOptions({ limit = 0, keysOnly = false, revision = 0 }: ReadOptions): object {
  return { limit: String(limit), keys_only: keysOnly, revision: String(revision) };
}

interface WireKeyValue {
  readonly key: string;
  readonly value?: string;
  readonly create_revision?: string;
  readonly mod_revision?: string;
  readonly version?: string;
}

interface WireResponse {
  readonly response_range?: { readonly kvs?: readonly WireKeyValue[]; readonly count?: string };
  readonly response_put?: { readonly prev_kv?: WireKeyValue };
  readonly response_txn?: { readonly responses?: readonly WireResponse[] };
}

interface WireTransaction {
  readonly header?: { readonly revision?: string };
  readonly succeeded?: boolean;
  readonly responses?: readonly WireResponse[];
}

export interface TransactionResult {
  readonly hasSucceeded: boolean;
  /** The revision that it made, or that it saw. */
  readonly revision: number;
  /** The answer of each read, in order. */
  readonly ranges: readonly RangeResult[];
  /** What `putAndGet` found. */
  readonly previous: KeyValue | undefined;
  readonly isRepeated: boolean;
}

/** All of the operations, if all comparisons hold; otherwise none. */
export async function transaction(
  gateway: Gateway,
  compare: readonly Compare[],
  success: readonly Operation[],
  signal?: AbortSignal,
): Promise<TransactionResult> {
  const request = { compare, success: nest(success, compare.length) };
  return readTransaction(await gateway.send<WireTransaction>('/v3/kv/txn', request, signal));
}

/** Reads at one moment. */
export async function readTogether(
  gateway: Gateway,
  reads: readonly Operation[],
  signal?: AbortSignal,
): Promise<TransactionResult> {
  return transaction(gateway, [], reads, signal);
}

/** etcd's default for `--max-txn-ops`. */
const MAX_OPERATIONS = 128;

/**
 * As many operations as there are, in a form that etcd takes: it allows so many at one level, and below each of them
 * a transaction of as many as its level has left.
 */
export function nest(operations: readonly Operation[], comparisons: number): readonly Operation[] {
  if (operations.length <= MAX_OPERATIONS) return operations;
  const level = Math.max(comparisons, MAX_OPERATIONS / 2);
  const size = MAX_OPERATIONS - level;
  const groups = Math.ceil(operations.length / size);
  if (groups > level)
    throw new RangeError(`${operations.length} operations are too many for one transaction`);
  return Array.from({ length: groups }, (_, group) => ({
    request_txn: { compare: [], success: operations.slice(group * size, (group + 1) * size) },
  }));
}

function readTransaction({ body, isRepeated }: Answer<WireTransaction>): TransactionResult {
  const responses = flatten(body.responses);
  const [previous] = responses.flatMap(({ response_put }) => response_put?.prev_kv ?? []);
  return {
    hasSucceeded: body.succeeded ?? false,
    revision: Number(body.header?.revision ?? 0),
    ranges: responses.flatMap(({ response_range: range }) =>
      range ? [{ kvs: (range.kvs ?? []).map(readKeyValue), count: Number(range.count ?? 0) }] : [],
    ),
    previous: previous && readKeyValue(previous),
    isRepeated,
  };
}

function flatten(responses: readonly WireResponse[] = []): WireResponse[] {
  return responses.flatMap((response) =>
    response.response_txn ? flatten(response.response_txn.responses) : [response],
  );
}

function readKeyValue({ key, value, create_revision, mod_revision, version }: WireKeyValue): KeyValue {
  return {
    key: fromBase64(key),
    value: fromBase64(value),
    createRevision: Number(create_revision ?? 0),
    modRevision: Number(mod_revision ?? 0),
    version: Number(version ?? 0),
  };
}
