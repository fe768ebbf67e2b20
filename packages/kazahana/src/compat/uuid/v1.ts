// v1 and v6 with the options of `uuid`: 100 ns ticks since 1582, a clock sequence and a node.
import { defaultEnvironment } from '../../environment.js';
import { GREGORIAN_OFFSET_MS, TICKS_PER_MS } from '../../uuid/gregorian.js';
import { textOf } from '../../uuid/text.js';
import { platformRandom, randomOf, writeTo } from './bytes.js';
import { reorderV1 } from './reorder.js';
import type { Version1Options } from './types.js';

/** Time and origin of a v1. */
interface Fields {
  readonly msecs: number;
  readonly nsecs: number;
  readonly clockseq: number;
  readonly node: Uint8Array;
}

/** What the calls without options remember: the last time, and the origin that they share. */
type State = Fields;

const clockseqOf = (random: Uint8Array) => (((random[8] as number) << 8) | (random[9] as number)) & 0x3fff;

/** A random node; its multicast bit says that it is no hardware address. */
function nodeOf(random: Uint8Array): Uint8Array {
  const node = random.slice(10, 16);
  node[0] = (node[0] as number) | 0x01;
  return node;
}

/**
 * The state after one more ID. A tick more within a millisecond; a new origin where the ticks of a millisecond are used up
 * or the clock has stepped back, since an ID of that time may exist.
 */
export function stepState(last: State | undefined, msecs: number, random: Uint8Array): State {
  const nsecs = last?.msecs === msecs ? last.nsecs + 1 : 0;
  if (last !== undefined && msecs >= last.msecs && nsecs < TICKS_PER_MS) return { ...last, msecs, nsecs };
  return { msecs, nsecs: nsecs % TICKS_PER_MS, clockseq: clockseqOf(random), node: nodeOf(random) };
}

const HIGH_UNIT = 2 ** 28;
/** 2^28 ms in ticks, divided by 2^32. */
const HIGH_TICKS = 625;

const scratch = /* @__PURE__ */ new Uint8Array(16);
const view = /* @__PURE__ */ new DataView(scratch.buffer);

/** The bytes of a v1; to be used before the next call. */
function stamp({ msecs, nsecs, clockseq, node }: Fields): Uint8Array {
  // Ticks since 1582 need 60 bits, more than a double has: 28 bits of milliseconds are multiplied apart.
  const ms = msecs + GREGORIAN_OFFSET_MS;
  const ticks = (ms % HIGH_UNIT) * TICKS_PER_MS + nsecs;
  const midAndHigh = Math.floor(ms / HIGH_UNIT) * HIGH_TICKS + Math.floor(ticks / 2 ** 32);
  view.setUint32(0, ticks);
  view.setUint16(4, midAndHigh);
  view.setUint16(6, 0x1000 | ((midAndHigh >>> 16) & 0xfff));
  view.setUint8(8, (clockseq >>> 8) | 0x80);
  view.setUint8(9, clockseq);
  for (let i = 0; i < 6; i++) scratch[10 + i] = node[i] as number;
  return scratch;
}

function fieldsOf(options: Version1Options): Fields {
  const random = randomOf(options);
  return {
    msecs: options.msecs ?? defaultEnvironment.now(),
    nsecs: options.nsecs ?? 0,
    clockseq: options.clockseq ?? clockseqOf(random),
    node: options.node ?? nodeOf(random),
  };
}

let state: State | undefined;

function nextState(random: Uint8Array): State {
  state = stepState(state, defaultEnvironment.now(), random);
  return state;
}

/** The time is counted together with that of v1; the origin is another for every ID. */
function nextV6Fields(): Fields {
  const random = platformRandom();
  return { ...nextState(random), clockseq: clockseqOf(random), node: nodeOf(random) };
}

/** Whether the options are nothing but `_v6`, with which `uuid` calls itself: that counts as none. */
function isOnlyV6(options: Version1Options): boolean {
  const names = Object.keys(options);
  return names.length === 1 && names[0] === '_v6';
}

export function v1(options?: Version1Options, buf?: undefined, offset?: number): string;
export function v1<Buf extends Uint8Array = Uint8Array>(
  options: Version1Options | undefined,
  buf: Buf,
  offset?: number,
): Buf;
export function v1<Buf extends Uint8Array>(
  options?: Version1Options,
  buf?: Buf,
  offset?: number,
): string | Buf {
  const isV6 = options?._v6 ?? false;
  const fields =
    options && !isOnlyV6(options) ? fieldsOf(options) : isV6 ? nextV6Fields() : nextState(platformRandom());
  const bytes = stamp(fields);
  return buf ? writeTo(bytes, buf, offset) : textOf(bytes);
}

const scratchV6 = /* @__PURE__ */ new Uint8Array(16);

export function v6(options?: Version1Options, buf?: undefined, offset?: number): string;
export function v6<TBuf extends Uint8Array = Uint8Array>(
  options: Version1Options | undefined,
  buf: TBuf,
  offset?: number,
): TBuf;
export function v6<TBuf extends Uint8Array>(
  options?: Version1Options,
  buf?: TBuf,
  offset?: number,
): string | TBuf {
  const fields = options && !isOnlyV6({ ...options, _v6: true }) ? fieldsOf(options) : nextV6Fields();
  const bytes = reorderV1(stamp(fields), scratchV6);
  return buf ? writeTo(bytes, buf, offset) : textOf(bytes);
}
