// kazahana/compat/uuid beside `uuid` 14, function by function, with the same arguments.
// Run: npm run bench -- compat
import * as ours from 'kazahana/compat/uuid';
import * as theirs from 'uuid';
import { type Candidate, INPUTS, measure, table } from './harness.ts';

type Uuid = typeof ours;
/** Calls one function, and returns a part of its result: a rope of strings is only paid for when it is read. */
type Use = (uuid: Uuid, turn: number) => number;

const v1Texts = Array.from({ length: INPUTS }, () => theirs.v1());
const v4Texts = Array.from({ length: INPUTS }, () => theirs.v4());
const v6Texts = v1Texts.map((text) => theirs.v1ToV6(text));
const notTexts = v4Texts.map((text, i) => `${text.slice(0, i % 36)}g${text.slice((i % 36) + 1)}`);
const arrays = v4Texts.map((text) => theirs.parse(text));
const random = Uint8Array.from({ length: 16 }, (_, i) => 13 * i);
const target = new Uint8Array(16);

const pick = <Value>(values: readonly Value[], turn: number) => values[turn % INPUTS] as Value;
const last = (text: string) => text.charCodeAt(35);
const first = (bytes: Uint8Array) => bytes[0] as number;

const USES: Readonly<Record<string, Use>> = {
  'v1()': ({ v1 }) => last(v1()),
  'v1(options)': ({ v1 }, turn) => last(v1({ msecs: 1_645_557_742_000 + turn, nsecs: 5678, random })),
  'v1(undefined, buf)': ({ v1 }) => first(v1(undefined, target)),
  'v3(text, DNS)': ({ v3 }, turn) => last(v3(pick(v4Texts, turn), v3.DNS)),
  'v4()': ({ v4 }) => last(v4()),
  'v4(options)': ({ v4 }) => last(v4({ random })),
  'v4(undefined, buf)': ({ v4 }) => first(v4(undefined, target)),
  'v5(text, DNS)': ({ v5 }, turn) => last(v5(pick(v4Texts, turn), v5.DNS)),
  'v6()': ({ v6 }) => last(v6()),
  'v6(options)': ({ v6 }, turn) => last(v6({ msecs: 1_645_557_742_000 + turn, nsecs: 5678, random })),
  'v6(undefined, buf)': ({ v6 }) => first(v6(undefined, target)),
  'v7()': ({ v7 }) => last(v7()),
  'v7(options)': ({ v7 }, turn) => last(v7({ msecs: 1_645_557_742_000 + turn, random })),
  'v7(undefined, buf)': ({ v7 }) => first(v7(undefined, target)),
  'v1ToV6(text)': ({ v1ToV6 }, turn) => last(v1ToV6(pick(v1Texts, turn))),
  'v1ToV6(bytes)': ({ v1ToV6 }, turn) => first(v1ToV6(pick(arrays, turn))),
  'v6ToV1(text)': ({ v6ToV1 }, turn) => last(v6ToV1(pick(v6Texts, turn))),
  'v6ToV1(bytes)': ({ v6ToV1 }, turn) => first(v6ToV1(pick(arrays, turn))),
  'parse(text)': ({ parse }, turn) => first(parse(pick(v4Texts, turn))),
  'stringify(bytes)': ({ stringify }, turn) => last(stringify(pick(arrays, turn))),
  'validate(a UUID)': ({ validate }, turn) => Number(validate(pick(v4Texts, turn))),
  'validate(no UUID)': ({ validate }, turn) => Number(validate(pick(notTexts, turn))),
  'version(text)': ({ version }, turn) => version(pick(v4Texts, turn)),
};

function candidate(name: string, use: Use, uuid: Uuid): Candidate {
  return {
    name,
    run(times) {
      let sum = 0;
      for (let turn = 0; turn < times; turn++) sum += use(uuid, turn);
      return sum;
    },
  };
}

const rows = [['', 'kazahana', 'uuid', 'faster']];
for (const [name, use] of Object.entries(USES)) {
  const times = measure([candidate('kazahana', use, ours), candidate('uuid', use, theirs)]);
  const [our, their] = [times.get('kazahana') ?? 0, times.get('uuid') ?? 0];
  rows.push([name, `${our.toFixed(0)} ns`, `${their.toFixed(0)} ns`, `${(their / our).toFixed(1)} ×`]);
}
console.log(table(rows));
