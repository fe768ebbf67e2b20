import { describe, expect, it } from 'vitest';
import * as estelle from './index.js';

/** The seed's picture of the bits: name, width, lowest and highest value. */
const ENV = ['envId', 2, 0, 2];
const PYLON = [
  ['deviceType', 1, 0, 0],
  ['deviceIndex', 4, 1, 15],
];
const WORKSPACE = ['workspaceIndex', 7, 1, 127];
const CONVERSATION = ['conversationIndex', 10, 1, 1023];

describe('the layouts', () => {
  const rows = [
    [estelle.pylonIdLayout, 'pylonId', 7, [ENV, ...PYLON]],
    [estelle.clientIdLayout, 'clientId', 7, [ENV, ['deviceType', 1, 1, 1], ['deviceIndex', 4, 0, 15]]],
    [estelle.deviceIdLayout, 'deviceId', 7, [ENV, ['deviceType', 1, 0, 1], ['deviceIndex', 4, 0, 15]]],
    [estelle.workspaceIdLayout, 'workspaceId', 14, [ENV, ...PYLON, WORKSPACE]],
    [estelle.conversationIdLayout, 'conversationId', 24, [ENV, ...PYLON, WORKSPACE, CONVERSATION]],
  ] as const;
  for (const [layout, name, bits, fields] of rows) {
    it(`${name} has the fields, widths and ranges of the seed`, () => {
      expect([layout.name, layout.bits]).toEqual([name, bits]);
      expect(layout.fields.map((field) => [field.name, field.bits, field.min, field.max])).toEqual(fields);
    });
  }

  it('read the environment and the device type out for a person', () => {
    const readings = (id: number) => estelle.deviceIdLayout.describe(id).map((field) => field.reading);
    expect(readings(0b00_0_0001)).toEqual(['release', 'pylon', '1']);
    expect(readings(0b01_1_0000)).toEqual(['stage', 'client', '0']);
    expect(readings(0b10_0_1111)).toEqual(['dev', 'pylon', '15']);
  });

  it('also read bits that no encode can make', () => {
    const [environment] = estelle.deviceIdLayout.describe(0b11_0_0001);
    expect(environment).toMatchObject({ value: 3, reading: 'unknown', inRange: false });
  });
});

describe('the constants', () => {
  it('are those of the seed', () => {
    expect([
      estelle.ENV_ID_BITS,
      estelle.DEVICE_TYPE_BITS,
      estelle.DEVICE_INDEX_BITS,
      estelle.WORKSPACE_INDEX_BITS,
      estelle.CONVERSATION_INDEX_BITS,
    ]).toEqual([2, 1, 4, 7, 10]);
    expect([
      estelle.MAX_ENV_ID,
      estelle.MAX_DEVICE_INDEX,
      estelle.MAX_WORKSPACE_INDEX,
      estelle.MAX_CONVERSATION_INDEX,
    ]).toEqual([2, 15, 127, 1023]);
    expect([estelle.DEVICE_TYPE_PYLON, estelle.DEVICE_TYPE_CLIENT]).toEqual([0, 1]);
  });

  it('give the ranges of indexes, and no caller can change them', () => {
    const ranges = [
      estelle.PYLON_INDEXES,
      estelle.CLIENT_INDEXES,
      estelle.WORKSPACE_INDEXES,
      estelle.CONVERSATION_INDEXES,
    ];
    expect(ranges).toEqual([
      { min: 1, max: 15 },
      { min: 0, max: 15 },
      { min: 1, max: 127 },
      { min: 1, max: 1023 },
    ]);
    expect(ranges.every(Object.isFrozen)).toBe(true);
  });
});
