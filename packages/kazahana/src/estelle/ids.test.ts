import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as estelle from './index.js';
import {
  type ClientId,
  type ConversationId,
  conversationIdToString,
  decodeClientId,
  decodeConversationId,
  decodeConversationIdFull,
  decodeDeviceId,
  decodePylonId,
  decodeWorkspaceId,
  type EnvId,
  encodeClientId,
  encodeConversationId,
  encodePylonId,
  encodeWorkspaceId,
  OutOfRangeError,
  type PylonId,
  type WorkspaceId,
} from './index.js';

const ENVIRONMENTS: readonly EnvId[] = [0, 1, 2];
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The seed's own formulas. A field that no encode can hold makes the ID invalid. */
const seed = {
  device: (id: number) => {
    const fields = { envId: id >> 5, deviceType: (id >> 4) & 0x1, deviceIndex: id & 0xf };
    const valid = fields.envId <= 2 && (fields.deviceType === 1 || fields.deviceIndex >= 1);
    return { fields, valid };
  },
  workspace: (id: number) => {
    const { fields, valid } = seed.device(id >> 7);
    const decoded = { pylonId: id >> 7, workspaceIndex: id & 0x7f };
    return { decoded, valid: valid && fields.deviceType === 0 && decoded.workspaceIndex >= 1 };
  },
  conversation: (id: number) => ({
    fields: {
      conversationIndex: id & 0x3ff,
      workspaceIndex: (id >> 10) & 0x7f,
      deviceIndex: (id >> 17) & 0xf,
      deviceType: (id >> 21) & 0x1,
      envId: id >> 22,
    },
    valid: seed.workspace(id >> 10).valid && (id & 0x3ff) >= 1,
  }),
};

describe('all 128 device IDs', () => {
  for (const id of upTo(128)) {
    const { fields, valid } = seed.device(id);
    const isPylon = fields.deviceType === 0;
    it(`${id} is ${valid ? (isPylon ? 'a pylon' : 'a client') : 'nothing'}`, () => {
      const [own, other] = isPylon ? [decodePylonId, decodeClientId] : [decodeClientId, decodePylonId];
      expect(() => other(id)).toThrow(OutOfRangeError);
      if (!valid) {
        expect(() => own(id)).toThrow(OutOfRangeError);
        expect(() => decodeDeviceId(id)).toThrow(OutOfRangeError);
        return;
      }
      expect(own(id)).toEqual(fields);
      expect(decodeDeviceId(id)).toEqual(fields);
      const encode = isPylon ? encodePylonId : encodeClientId;
      expect(encode(fields.envId as EnvId, fields.deviceIndex)).toBe(id);
    });
  }
});

describe('all 16384 workspace IDs', () => {
  it('decode as in the seed and encode back, or are refused', () => {
    let valid = 0;
    for (const id of upTo(16384)) {
      const expected = seed.workspace(id);
      if (!expected.valid) {
        if (!refuses(() => decodeWorkspaceId(id))) throw new Error(`${id} must be refused`);
        continue;
      }
      const { pylonId, workspaceIndex } = decodeWorkspaceId(id);
      const again = encodeWorkspaceId(pylonId, workspaceIndex);
      if (pylonId !== expected.decoded.pylonId || workspaceIndex !== expected.decoded.workspaceIndex) {
        throw new Error(`${id} decodes to ${pylonId} and ${workspaceIndex}`);
      }
      if (again !== id) throw new Error(`${id} comes back as ${again}`);
      valid += 1;
    }
    expect(valid).toBe(3 * 15 * 127);
  });
});

function refuses(decode: () => unknown): boolean {
  try {
    decode();
    return false;
  } catch (error) {
    return error instanceof OutOfRangeError;
  }
}

const anyPylon = fc
  .tuple(fc.constantFrom(...ENVIRONMENTS), fc.integer({ min: 1, max: 15 }))
  .map(([envId, deviceIndex]) => ({ envId, deviceIndex }));
const anyConversation = fc.record({
  pylon: anyPylon,
  workspaceIndex: fc.integer({ min: 1, max: 127 }),
  conversationIndex: fc.integer({ min: 1, max: 1023 }),
});

describe('every conversation ID', () => {
  it('is what the shifts of the seed make, and decodes to what it was made of', () => {
    fc.assert(
      fc.property(anyConversation, ({ pylon, workspaceIndex, conversationIndex }) => {
        const { envId, deviceIndex } = pylon;
        const pylonId = encodePylonId(envId, deviceIndex);
        const workspaceId = encodeWorkspaceId(pylonId, workspaceIndex);
        const conversationId = encodeConversationId(workspaceId, conversationIndex);
        expect(pylonId).toBe((envId << 5) | (0 << 4) | deviceIndex);
        expect(workspaceId).toBe((pylonId << 7) | workspaceIndex);
        expect(conversationId).toBe((workspaceId << 10) | conversationIndex);

        const fields = { envId, deviceType: 0, deviceIndex, workspaceIndex, conversationIndex };
        expect(decodeConversationId(conversationId)).toEqual({ workspaceId, conversationIndex });
        expect(decodeConversationIdFull(conversationId)).toEqual({ ...fields, pylonId, workspaceId });
        expect(conversationIdToString(conversationId)).toBe(
          `${envId}:0:${deviceIndex}:${workspaceIndex}:${conversationIndex}`,
        );
      }),
    );
  });

  const agreesWithSeed = (id: number) => {
    const { fields, valid } = seed.conversation(id);
    if (valid) {
      const [pylonId, workspaceId] = [id >> 17, id >> 10];
      expect(decodeConversationIdFull(id)).toEqual({ ...fields, pylonId, workspaceId });
    } else {
      for (const decode of [decodeConversationId, decodeConversationIdFull, conversationIdToString]) {
        expect(() => decode(id)).toThrow(OutOfRangeError);
      }
    }
  };

  it('is read as in the seed for any 24 bits', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 24 - 1 }), agreesWithSeed), { numRuns: 2000 });
  });

  it('is read as in the seed at every edge of every field', () => {
    for (const envId of [0, 1, 2, 3])
      for (const deviceType of [0, 1])
        for (const deviceIndex of [0, 1, 15])
          for (const workspaceIndex of [0, 1, 127])
            for (const conversationIndex of [0, 1, 1023]) {
              const device = (envId << 5) | (deviceType << 4) | deviceIndex;
              agreesWithSeed((((device << 7) | workspaceIndex) << 10) | conversationIndex);
            }
  });

  it('sorts by environment, device, workspace and conversation', () => {
    fc.assert(
      fc.property(anyConversation, anyConversation, (a, b) => {
        const [left, right] = [a, b].map(({ pylon, workspaceIndex, conversationIndex }) => {
          const workspaceId = encodeWorkspaceId(
            encodePylonId(pylon.envId, pylon.deviceIndex),
            workspaceIndex,
          );
          const key = [pylon.envId, pylon.deviceIndex, workspaceIndex, conversationIndex];
          return {
            id: encodeConversationId(workspaceId, conversationIndex),
            key: key.map((part) => String(part).padStart(4, '0')).join(),
          };
        });
        expect((left?.id ?? 0) < (right?.id ?? 0)).toBe((left?.key ?? '') < (right?.key ?? ''));
      }),
    );
  });
});

describe('the types', () => {
  it('keep the levels apart', () => {
    const take = (_: PylonId, __: ClientId, ___: WorkspaceId, ____: ConversationId) => true;
    const [pylon, client] = [encodePylonId(0, 1), encodeClientId(0, 1)];
    const workspace = encodeWorkspaceId(pylon, 1);
    expect(take(pylon, client, workspace, encodeConversationId(workspace, 1))).toBe(true);
    // @ts-expect-error a client holds no workspaces
    expect(() => encodeWorkspaceId(client, 1)).toThrow(RangeError);
    // @ts-expect-error a pylon is not a workspace
    expect(() => encodeConversationId(pylon, 1)).toThrow(RangeError);
    // @ts-expect-error a plain number is not an ID before a guard has looked at it
    expect(encodeWorkspaceId(1, 1)).toBe(129);
    // @ts-expect-error there is no environment 3
    expect(() => encodePylonId(3, 1)).toThrow(RangeError);
  });

  it('tell pylons from clients by the device type', () => {
    const device: estelle.DecodedDeviceId = decodeDeviceId(encodeClientId(1, 0));
    expect(device.deviceType === estelle.DEVICE_TYPE_CLIENT).toBe(true);
  });
});
