// The lines of UUIDs: ours, and the peers that run everywhere. `uuid.ts` adds those that run on Node only; `engines.ts`
// runs this file on other engines.
import { resetUuidV7 } from 'kazahana/testing';
import {
  formatUuid,
  generateMany,
  generateV1,
  generateV4,
  generateV7,
  isUuid,
  UuidV7Generator,
  uuidToBytes,
  validateUuid,
} from 'kazahana/uuid';
import { nanoid } from 'nanoid';
import { typeid } from 'typeid-js';
import { monotonicFactory } from 'ulid';
import { uuidv4 as unikuV4 } from 'uniku/uuid/v4';
import { uuidv7 as unikuV7 } from 'uniku/uuid/v7';
import * as uuid from 'uuid';
import { uuidv7 } from 'uuidv7';
import { type Candidate, INPUTS, reads, strings } from './harness.ts';
import type { Contest } from './results.ts';

/** Functions of one platform that make strings, by line. */
export interface NativePeers {
  readonly v4?: Readonly<Record<string, () => string>>;
  readonly v7?: Readonly<Record<string, () => string>>;
}

const BLOCK = 1024;
const bytesOfBlock = new Uint8Array(16 * BLOCK);

/** Texts as a program receives them: whole strings, not pieces that are put together at the first reading. */
const received = (texts: readonly string[]): readonly string[] => JSON.parse(JSON.stringify(texts));

const valid = received(Array.from({ length: INPUTS }, () => crypto.randomUUID()));
/** With a letter that is no digit at every place in turn. */
const invalid = received(valid.map((text, i) => `${text.slice(0, i % 36)}g${text.slice((i % 36) + 1)}`));
const bytes = valid.map((text) => uuidToBytes(text));
const target = new Uint8Array(16);

const ulid = monotonicFactory();
const ofBoolean = (value: boolean) => (value ? 1 : 0);
const ofBytes = (value: Uint8Array) => value[3] as number;
const ofText = (value: string) => value.charCodeAt(14);

/** What makes strings, by name: ours and the peers of each version. */
export function generators({ v4 = {}, v7 = {} }: NativePeers = {}) {
  return {
    v4: {
      ours: generateV4,
      peers: {
        'crypto.randomUUID': () => crypto.randomUUID(),
        uuid: () => uuid.v4(),
        uniku: () => unikuV4(),
        nanoid: () => nanoid(),
        ...v4,
      },
    },
    v7: {
      ours: generateV7,
      peers: {
        uuid: () => uuid.v7(),
        uuidv7: () => uuidv7(),
        uniku: () => unikuV7(),
        ulid: () => ulid(),
        'typeid-js': () => typeid().toString(),
        ...v7,
      },
    },
    v1: { ours: generateV1, peers: { uuid: () => uuid.v1() } },
  };
}

const clock: Candidate = {
  name: 'Date.now',
  run(times) {
    let sum = 0;
    for (let i = 0; i < times; i++) sum += Date.now();
    return sum;
  },
};

/** Many at once, by a sequence that has not run ahead yet: past a second of lead, it would wait for the clock. */
const manyStrings: Candidate = {
  name: 'ours',
  batch: BLOCK,
  run(times) {
    resetUuidV7();
    let sum = 0;
    for (let i = 0; i < times; i++) {
      for (const text of generateMany('v7', { count: BLOCK })) sum = (sum + text.charCodeAt(14)) | 0;
    }
    return sum;
  },
};

const manyBytes: Candidate = {
  name: 'ours',
  batch: BLOCK,
  run(times) {
    const generator = new UuidV7Generator();
    for (let i = 0; i < times; i++) generator.fill(bytesOfBlock);
    return bytesOfBlock[15] as number;
  },
};

export function uuidContests(native: NativePeers = {}): Contest[] {
  const { v4, v7, v1 } = generators(native);
  const candidates = (makers: Readonly<Record<string, () => string>>) =>
    Object.entries(makers).map(([name, make]) => strings(name, make));
  const validate = (inputs: readonly string[]) => reads('uuid', inputs, uuid.validate, ofBoolean);
  const parse = () => reads('uuid', valid, (text) => uuid.parse(text), ofBytes);
  return [
    { line: 'v4', ours: strings('ours', v4.ours), peers: candidates(v4.peers) },
    { line: 'v7', ours: strings('ours', v7.ours), peers: [clock, ...candidates(v7.peers)] },
    { line: 'v7, many, strings', ours: manyStrings, peers: [strings('uuid', v7.peers.uuid)] },
    { line: 'v7, many, bytes', ours: manyBytes, peers: [strings('uuid', v7.peers.uuid)] },
    { line: 'v1', ours: strings('ours', v1.ours), peers: candidates(v1.peers) },
    { line: 'isUuid, valid', ours: reads('ours', valid, isUuid, ofBoolean), peers: [validate(valid)] },
    { line: 'isUuid, invalid', ours: reads('ours', invalid, isUuid, ofBoolean), peers: [validate(invalid)] },
    {
      line: 'validateUuid, valid',
      ours: reads('ours', valid, (text) => validateUuid(text).isValid, ofBoolean),
      peers: [validate(valid)],
    },
    {
      line: 'text to bytes',
      ours: reads('ours', valid, (text) => uuidToBytes(text), ofBytes),
      peers: [parse()],
    },
    {
      line: 'text into a buffer',
      ours: reads('ours', valid, (text) => uuidToBytes(text, target), ofBytes),
      peers: [parse()],
    },
    {
      line: 'bytes to text',
      ours: reads('ours', bytes, formatUuid, ofText),
      peers: [reads('uuid', bytes, (value) => uuid.stringify(value), ofText)],
    },
  ];
}
