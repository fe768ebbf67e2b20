// UUIDs side by side with what people use today; every row is a ratio within this run.
// Run: npm run bench -- uuid
import { v4 as rustV4 } from '@napi-rs/uuid';
import {
  formatUuid,
  generateV1,
  generateV4,
  generateV7,
  isUuid,
  parseUuid,
  UuidV7Generator,
  uuidToBytes,
  validateUuid,
} from 'kazahana/uuid';
import { nanoid } from 'nanoid';
import { monotonicFactory } from 'ulid';
import * as uuid from 'uuid';
import { uuidv7 } from 'uuidv7';
import { type Candidate, measure, table } from './harness.ts';

/** A candidate that makes strings; reading a character makes lazy ropes pay for themselves. */
function strings(name: string, make: () => string): Candidate {
  return {
    name,
    run(times) {
      let sum = 0;
      for (let i = 0; i < times; i++) sum += make().charCodeAt(14);
      return sum;
    },
  };
}

/** A candidate that reads texts, a different one each time. */
function reads(name: string, texts: readonly string[], read: (text: string) => unknown): Candidate {
  return {
    name,
    run(times) {
      let sum = 0;
      for (let i = 0; i < times; i++) sum += read(texts[i % texts.length] as string) ? 1 : 0;
      return sum;
    },
  };
}

interface Comparison {
  readonly title: string;
  readonly ours: readonly Candidate[];
  readonly peers: readonly Candidate[];
}

const ulid = monotonicFactory();
const generator = new UuidV7Generator();
const BLOCK = 256;
const block = new Uint8Array(16 * BLOCK);

const valid = Array.from({ length: 512 }, () => crypto.randomUUID() as string);
const invalid = valid.map((text, i) => `${text.slice(0, i % 36)}g${text.slice((i % 36) + 1)}`);
const bytes = valid.map((text) => uuidToBytes(text));
const target = new Uint8Array(16);

const comparisons: readonly Comparison[] = [
  {
    title: 'v4',
    ours: [strings('kazahana generateV4', generateV4)],
    peers: [
      strings('crypto.randomUUID', () => crypto.randomUUID()),
      strings('uuid v4', () => uuid.v4()),
      strings('nanoid', () => nanoid()),
      strings('@napi-rs/uuid (Rust)', () => rustV4()),
    ],
  },
  {
    title: 'v7',
    ours: [
      strings('kazahana generateV7', generateV7),
      strings('kazahana UuidV7Generator', () => generator.next()),
      {
        name: `kazahana fill, bytes, ${BLOCK} at once`,
        run(times) {
          // A fresh one each turn: past a second of lead, a generator waits for the clock.
          const fresh = new UuidV7Generator();
          for (let i = 0; i < times; i += BLOCK) fresh.fill(block);
          return block[15] as number;
        },
      },
    ],
    peers: [
      strings('uuid v7', () => uuid.v7()),
      strings('uuidv7 (LiosK)', () => uuidv7()),
      strings('ulid, monotonic', () => ulid()),
      strings('Date.now alone', () => (Date.now() > 0 ? 'the time, not an ID' : '')),
    ],
  },
  {
    title: 'v1',
    ours: [strings('kazahana generateV1', generateV1)],
    peers: [strings('uuid v1', () => uuid.v1())],
  },
  {
    title: 'validate, valid input',
    ours: [
      reads('kazahana isUuid', valid, isUuid),
      reads('kazahana validateUuid', valid, (text) => validateUuid(text).isValid),
    ],
    peers: [reads('uuid validate', valid, uuid.validate)],
  },
  {
    title: 'validate, invalid input',
    ours: [
      reads('kazahana isUuid', invalid, isUuid),
      reads('kazahana validateUuid', invalid, (text) => validateUuid(text).isValid),
    ],
    peers: [reads('uuid validate', invalid, uuid.validate)],
  },
  {
    title: 'text to bytes',
    ours: [
      reads('kazahana uuidToBytes', valid, (text) => uuidToBytes(text)[0]),
      reads('kazahana uuidToBytes, into a buffer', valid, (text) => uuidToBytes(text, target)[0]),
      reads('kazahana parseUuid', valid, (text) => parseUuid(text).version),
    ],
    peers: [reads('uuid parse', valid, (text) => uuid.parse(text)[0])],
  },
  {
    title: 'bytes to text',
    ours: [strings('kazahana formatUuid', rotate(formatUuid))],
    peers: [strings('uuid stringify', rotate(uuid.stringify))],
  },
];

function rotate(format: (bytes: Uint8Array) => string): () => string {
  let i = 0;
  return () => format(bytes[i++ % bytes.length] as Uint8Array);
}

for (const { title, ours, peers } of comparisons) {
  const results = measure([...ours, ...peers]);
  const ns = (candidate: Candidate) => results.get(candidate.name) ?? Number.NaN;
  const rows = [
    [title, 'ns', ...peers.map(({ name }) => `× ${name}`)],
    ...ours.map((our) => [
      our.name,
      ns(our).toFixed(0),
      ...peers.map((peer) => (ns(peer) / ns(our)).toFixed(2)),
    ]),
    ...peers.map((peer) => [peer.name, ns(peer).toFixed(0), ...peers.map(() => '')]),
  ];
  console.log(`${table(rows)}\n`);
}

const lead = Number.parseInt(generateV7().slice(0, 13).replace('-', ''), 16) - Date.now();
console.log(
  `generateV7 is ${Math.max(0, lead)} ms ahead of the clock (bursts beyond 4,096 a millisecond run ahead).`,
);
