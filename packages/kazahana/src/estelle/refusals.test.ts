// What every encode and decode of Estelle IDs refuses, and in which words.
import { describe, expect, it } from 'vitest';
import {
  conversationIdToString,
  decodeClientId,
  decodeConversationId,
  decodeConversationIdFull,
  decodeDeviceId,
  decodePylonId,
  decodeWorkspaceId,
  encodeClientId,
  encodeConversationId,
  encodePylonId,
  encodeWorkspaceId,
  OutOfRangeError,
} from './index.js';

const NOT_INTEGERS: readonly unknown[] = [
  '1',
  '',
  1n,
  Number.NaN,
  Infinity,
  1.5,
  true,
  null,
  undefined,
  {},
  [],
  [1],
  { valueOf: () => 1 },
  () => 1,
  Symbol('1'),
];

type Encode = (a: never, b: never) => number;

function thrownBy(call: () => unknown): unknown {
  try {
    return { returned: call() };
  } catch (error) {
    return error;
  }
}

describe('an encode refuses', () => {
  const pylonId = encodePylonId(2, 3);
  const clientId = encodeClientId(2, 3);
  const workspaceId = encodeWorkspaceId(pylonId, 5);

  // biome-ignore format: a table
  const rows: [encode: Encode, a: number, b: number, field: string, min: number, max: number, value: number][] = [
    [encodePylonId, 3, 1, 'pylonId.envId', 0, 2, 3],
    [encodePylonId, -1, 1, 'pylonId.envId', 0, 2, -1],
    [encodePylonId, 0, 0, 'pylonId.deviceIndex', 1, 15, 0],
    [encodePylonId, 0, 16, 'pylonId.deviceIndex', 1, 15, 16],
    [encodeClientId, 3, 1, 'clientId.envId', 0, 2, 3],
    [encodeClientId, 0, -1, 'clientId.deviceIndex', 0, 15, -1],
    [encodeClientId, 0, 16, 'clientId.deviceIndex', 0, 15, 16],
    [encodeWorkspaceId, clientId, 1, 'pylonId.deviceType', 0, 0, 1],
    [encodeWorkspaceId, 0b11_0_0001, 1, 'pylonId.envId', 0, 2, 3],
    [encodeWorkspaceId, 0b00_0_0000, 1, 'pylonId.deviceIndex', 1, 15, 0],
    [encodeWorkspaceId, 128, 1, 'pylonId', 0, 127, 128],
    [encodeWorkspaceId, pylonId, 0, 'workspaceId.workspaceIndex', 1, 127, 0],
    [encodeWorkspaceId, pylonId, 128, 'workspaceId.workspaceIndex', 1, 127, 128],
    [encodeConversationId, pylonId, 1, 'workspaceId.deviceIndex', 1, 15, 0],
    [encodeConversationId, 16384, 1, 'workspaceId', 0, 16383, 16384],
    [encodeConversationId, workspaceId, 0, 'conversationId.conversationIndex', 1, 1023, 0],
    [encodeConversationId, workspaceId, 1024, 'conversationId.conversationIndex', 1, 1023, 1024],
  ];
  for (const [encode, a, b, field, min, max, value] of rows) {
    it(`${encode.name}(${a}, ${b}), naming ${field}, its range and the value`, () => {
      const error = thrownBy(() => encode(a as never, b as never));
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toMatchObject({
        code: 'OUT_OF_RANGE',
        message: `${field} must be an integer from ${min} to ${max}, got ${value}`,
        field,
        min,
        max,
        value,
      });
    });
  }

  const accepted: [encode: Encode, a: number, b: number][] = [
    [encodePylonId, 0, 1],
    [encodeClientId, 0, 1],
    [encodeWorkspaceId, pylonId, 1],
    [encodeConversationId, workspaceId, 1],
  ];
  for (const [encode, a, b] of accepted) {
    it(`whatever is no integer: ${encode.name}`, () => {
      expect(encode(a as never, b as never)).toBeGreaterThan(0);
      for (const bad of NOT_INTEGERS) {
        expect(() => encode(bad as never, b as never)).toThrow(OutOfRangeError);
        expect(() => encode(a as never, bad as never)).toThrow(OutOfRangeError);
      }
    });
  }

  it('nothing about -0, which is 0', () => {
    expect(encodePylonId(-0 as 0, 1)).toBe(1);
    expect(encodeClientId(-0 as 0, -0)).toBe(16);
  });
});

describe('a decode refuses', () => {
  const rows: [decode: (id: number) => unknown, bits: number, name: string][] = [
    [decodePylonId, 7, 'pylonId'],
    [decodeClientId, 7, 'clientId'],
    [decodeDeviceId, 7, 'deviceId'],
    [decodeWorkspaceId, 14, 'workspaceId'],
    [decodeConversationId, 24, 'conversationId'],
    [decodeConversationIdFull, 24, 'conversationId'],
    [conversationIdToString, 24, 'conversationId'],
  ];
  for (const [decode, bits, name] of rows) {
    it(`what is no ${bits}-bit integer: ${decode.name}`, () => {
      for (const bad of [...NOT_INTEGERS, -1, -0.5, 2 ** bits, 2 ** 53]) {
        const error = thrownBy(() => decode(bad as number));
        expect(error).toBeInstanceOf(OutOfRangeError);
        expect(error).toMatchObject({ field: name, min: 0, max: 2 ** bits - 1, value: bad });
      }
      // Every ID has an index of 1 or more, or the bit of a client.
      expect(() => decode(0)).toThrow(OutOfRangeError);
      expect(() => decode(-0)).toThrow(OutOfRangeError);
    });
  }

  it('a pylon with index 0 where either device may stand, and says so', () => {
    expect(() => decodeDeviceId(0)).toThrow('pylonId.deviceIndex must be an integer from 1 to 15, got 0');
  });
});
