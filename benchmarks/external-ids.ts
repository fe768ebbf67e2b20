// External IDs: what was compared for docs/external-id-definition.md. How well each permutation mixes, and how fast it makes
// and reads 11 characters, as a ratio to hashids in the same run.
import Hashids from 'hashids';
import { createExternalIdCodec, type ExternalIdCodec, toExternalId, toInternalId } from 'kazahana/external';
import Sqids from 'sqids';
import { mix, unmix } from '../packages/kazahana/dist/external/mixer.js';
import { decrypt, encrypt, expandKey } from '../packages/kazahana/dist/external/xtea.js';
import { measureAvalanche } from './external-ids/avalanche.ts';
import { ff1, speck64 } from './external-ids/ciphers.ts';
import type { codecOf as CodecOf } from './external-ids/codec.ts';
import { feistel3, moremur, type Pair, splitmix64 } from './external-ids/mixers.ts';
import { checkInverse, checkPublishedVectors } from './external-ids/vectors.ts';
import { type Candidate, measure } from './harness.ts';
import { compare, type Outcome, type Table } from './results.ts';

const roundKeys = expandKey([0x6b617a61, 0x68616e61, 0x20707562, 0x6c696321]);

// Samples: as many as fit in the time, since the smallest bias that can be seen goes with their square root.
const permutations: [name: string, pair: Pair, samples: number][] = [
  ['SplitMix64 finaliser', splitmix64, 2 ** 20],
  ['moremur', moremur, 2 ** 20],
  ['Feistel, 3 rounds', feistel3, 2 ** 20],
  ['Feistel, 4 rounds (mix)', { forward: mix, backward: unmix }, 2 ** 20],
  [
    'XTEA (xtea)',
    { forward: (block) => encrypt(block, roundKeys), backward: (block) => decrypt(block, roundKeys) },
    2 ** 16,
  ],
  ['Speck64/128', speck64(0x6b617a61, 0x68616e61, 0x20707562, 0x6c696321), 2 ** 16],
  ['AES-128 FF1', ff1(Uint8Array.from({ length: 16 }, (_, i) => 17 * i)), 2 ** 8],
];

function avalanche(): Table {
  checkPublishedVectors();
  for (const [name, pair] of permutations) checkInverse(name, pair);
  return {
    title: 'Avalanche: how often flipping an input bit flips an output bit',
    head: ['', 'samples', 'mean', 'worst pair, off ½ by', 'in σ (a fair coin: 3.3–4.5)'],
    rows: permutations.map(([name, pair, samples]) => {
      const { mean, worst, sigmas } = measureAvalanche(pair.forward, samples);
      return [name, `2^${Math.log2(samples)}`, mean.toFixed(5), worst.toFixed(5), sigmas.toFixed(1)];
    }),
  };
}

/** IDs as one machine makes them: a millisecond or some apart, machine ID 5. */
const ids = Array.from(
  { length: 1024 },
  (_, i) => (BigInt(60e9 + i * 37) << 22n) | BigInt(5 * 256 + (i & 3)),
);

/** The same round trip for everybody; what an ID is differs, since sqids has no bigints. */
interface Contestant<Id> {
  readonly ids: readonly Id[];
  readonly encode: (id: Id) => string;
  readonly decode: (text: string) => Id;
  /** A number that needs the whole ID to be there. */
  readonly weigh: (id: Id) => number;
}

/**
 * The two loops of a contestant, compiled anew for each: in one shared loop all would pay for call sites that
 * have seen every codec, which no program with one codec does.
 */
const compileLoops = (): (<Id>(
  contestant: Contestant<Id>,
) => [encode: Candidate['run'], decode: Candidate['run']]) =>
  new Function(`return ({ ids, encode, decode, weigh }) => {
    const texts = ids.map((id) => encode(id));
    return [
      (times) => {
        let sum = 0;
        for (let i = 0; i < times; i++) sum = (sum + encode(ids[i & 1023]).charCodeAt(7)) | 0;
        return sum;
      },
      (times) => {
        let sum = 0;
        for (let i = 0; i < times; i++) sum = (sum + weigh(decode(texts[i & 1023]))) | 0;
        return sum;
      },
    ];
  }`)();

const overBigints = (
  encode: (id: bigint) => string,
  decode: (text: string) => bigint,
): Contestant<bigint> => ({
  ids,
  encode,
  decode,
  weigh: (id) => (id > 0n ? 1 : 2),
});
const ofCodec = (codec: Pick<ExternalIdCodec, 'toExternalId' | 'toInternalId'>) =>
  overBigints(codec.toExternalId, codec.toInternalId);

const hashids = new Hashids('kazahana');
const sqids = new Sqids();
const secret = 'kazahana';
const contestants: [name: string, loops: [Candidate['run'], Candidate['run']]][] = [
  [
    'hashids',
    compileLoops()(
      overBigints(
        (id) => hashids.encode(id),
        (text) => hashids.decode(text)[0] as bigint,
      ),
    ),
  ],
  [
    'sqids, two numbers of 32 bits',
    compileLoops()({
      ids: ids.map((id) => [Number(id >> 32n), Number(id & 0xffffffffn)]),
      encode: (id) => sqids.encode(id),
      decode: (text) => sqids.decode(text),
      weigh: (id) => id[1] ?? 0,
    }),
  ],
  ['kazahana codec, none', compileLoops()(ofCodec(createExternalIdCodec({ algorithm: 'none' })))],
  ['kazahana codec, mix', compileLoops()(ofCodec(createExternalIdCodec()))],
  ['kazahana codec, xtea', compileLoops()(ofCodec(createExternalIdCodec({ secret })))],
  [
    'kazahana one-shot, mix',
    compileLoops()(
      overBigints(
        (id) => toExternalId(id),
        (text) => toInternalId(text),
      ),
    ),
  ],
  [
    'kazahana one-shot, xtea',
    compileLoops()(
      overBigints(
        (id) => toExternalId(id, { secret }),
        (text) => toInternalId(text, { secret }),
      ),
    ),
  ],
];

// The candidates for the place behind the codec, each in a copy of the module for the reason above.
for (const [index, [name, pair]] of permutations.entries()) {
  const { codecOf }: { codecOf: typeof CodecOf } = await import(`./external-ids/codec.ts?${index}`);
  contestants.push([`same codec, ${name}`, compileLoops()(ofCodec(codecOf(pair)))]);
}

const KEYED = 'kazahana codec, xtea';
const KEYLESS = 'kazahana codec, mix';

export function run(): Outcome {
  const medians = measure(
    contestants.flatMap(([name, [encode, decode]]) => [
      { name: `${name} encode`, run: encode },
      { name: `${name} decode`, run: decode },
    ]),
  );
  const ns = (name: string) => medians.get(name) ?? Number.NaN;
  const against = (kind: string, name: string, way: string, peer: string, peerLoop: string) =>
    compare(`external ID, ${kind}, ${way}`, ns(`${name} ${way}`), peer, ns(`${peerLoop} ${way}`));
  const results = [['keyed', KEYED] as const, ['keyless', KEYLESS] as const].flatMap(([kind, name]) =>
    ['encode', 'decode'].flatMap((way) => [
      against(kind, name, way, 'hashids', 'hashids'),
      against(kind, name, way, 'sqids', 'sqids, two numbers of 32 bits'),
    ]),
  );
  const ratio = (times: number) => times.toFixed(times < 1 ? 2 : 1);
  const rows = contestants.map(([name]) => {
    const both = [ns(`${name} encode`), ns(`${name} decode`)] as const;
    return [
      name,
      ...both.map((time) => time.toFixed(0)),
      ratio(ns('hashids encode') / both[0]),
      ratio(ns('hashids decode') / both[1]),
    ];
  });
  const head = ['', 'encode ns', 'decode ns', 'encode × hashids', 'decode × hashids'];
  return { results, tables: [avalanche(), { title: 'One ID to text and back', head, rows }] };
}
