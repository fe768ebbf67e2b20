// A call of a pool, as the runner sees it: what it needs to know, and what it decides on that.
import type { Environment } from '../environment.js';
import type { SlotKey, Wanted } from './driver.js';
import type { PoolRecord, SlotRange } from './rules.js';
import type { SwitchableRules } from './switchable-rules.js';
import type { RenewalClaim, SeenPool } from './types.js';
import type { PoolView } from './view.js';

/** What a call needs to know of a pool that it has seen before. */
export interface Needs {
  /** How many free slots. */
  readonly free?: number;
  readonly slots?: readonly SlotKey[];
  readonly request?: string;
  readonly quotas?: readonly string[];
  readonly held?: boolean;
}

/** What became of the writes that a decision led to: the serial of its grant. */
export type SerialOf = (grant: number) => number;

/** What a caller has seen, and its name if it has one. */
export interface SeenByCaller extends SeenPool {
  readonly caller?: string;
}

export interface PoolCall<Result> {
  needs(pool: PoolRecord): Needs;
  /** What the caller has seen of the pool, if it is to be believed (rule R7). */
  readonly seen?: SeenByCaller;
  /** Leases that the caller holds and the store has lost (rule R7). */
  lost?(view: PoolView): RenewalClaim | undefined;
  /** Whether it waits while the layout of the pool changes. */
  waitsForLayout?(pool: PoolRecord): boolean;
  /** Whether it shares its batch with no other call, because what these have read is not theirs after it. */
  readonly isAlone?: boolean;
  /** Decides; the result is made when its changes are kept. */
  decide(view: PoolView): (serialOf: SerialOf) => Result;
  /** The last decision may have been kept, or not. */
  doubt?(): void;
}

/** What the decisions of an engine have in common. */
export interface CallContext {
  readonly environment: Environment;
  readonly rules: SwitchableRules;
  /** The key for the proofs of a pool, where there is one. */
  readonly lossKeyOf: (pool: string) => string | undefined;
  readonly serviceShare: number | undefined;
  readonly maxSlotsPerWrite: number;
}

/** What calls need, all together; free slots of a range, if there is one. Of a pool that was never seen only its record can be wanted. */
export function wantedBy(
  calls: readonly PoolCall<unknown>[],
  pool: PoolRecord | undefined,
  { skip, range }: { readonly skip: number; readonly range: SlotRange | undefined },
): Wanted {
  if (!pool) return { slots: [], requests: [], quotas: [] };
  const { generation } = pool;
  const needs = calls.map((call) => call.needs(pool));
  const free = needs.reduce((sum, need) => sum + (need.free ?? 0), 0);
  const slots = new Map(
    needs.flatMap((need) => (need.slots ?? []).map((key) => [`${key.generation} ${key.slot}`, key])),
  );
  return {
    ...(free > 0 &&
      range && { free: { generation, ...range, skip, count: Math.min(free, range.to - range.from) } }),
    slots: [...slots.values()],
    requests: [...new Set(needs.flatMap(({ request }) => request ?? []))],
    quotas: [...new Set(needs.flatMap(({ quotas = [] }) => quotas))],
    ...(needs.some(({ held }) => held) && { held: generation }),
  };
}
