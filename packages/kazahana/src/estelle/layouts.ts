// The Estelle IDs as bit layouts: widths, limits and readings, each written once. Encoders, decoders and
// inspectors all go through these; nothing else in this room knows where a bit stands.
import { defineLayout, type FieldValue } from '../layout/layout.js';
import { envName, isEnvId, MAX_ENV_ID } from './environment.js';

export const ENV_ID_BITS = 2;
export const DEVICE_TYPE_BITS = 1;
export const DEVICE_INDEX_BITS = 4;
export const WORKSPACE_INDEX_BITS = 7;
export const CONVERSATION_INDEX_BITS = 10;

export const MAX_DEVICE_INDEX = 15;
export const MAX_WORKSPACE_INDEX = 127;
export const MAX_CONVERSATION_INDEX = 1023;

/** 0 is a pylon (a server that holds workspaces), 1 a client (an app, which holds nothing). */
export type DeviceType = 0 | 1;
export const DEVICE_TYPE_PYLON = 0;
export const DEVICE_TYPE_CLIENT = 1;

/** The indexes that each level gives out, ready for an `IndexAllocator`. Only clients start at 0. */
export const PYLON_INDEXES = Object.freeze({ min: 1, max: MAX_DEVICE_INDEX });
export const CLIENT_INDEXES = Object.freeze({ min: 0, max: MAX_DEVICE_INDEX });
export const WORKSPACE_INDEXES = Object.freeze({ min: 1, max: MAX_WORKSPACE_INDEX });
export const CONVERSATION_INDEXES = Object.freeze({ min: 1, max: MAX_CONVERSATION_INDEX });

const envId = {
  name: 'envId',
  bits: ENV_ID_BITS,
  max: MAX_ENV_ID,
  // An inspector also reads bits that decode refuses.
  reading: (value: FieldValue) => (isEnvId(value) ? envName(value) : 'unknown'),
} as const;

const deviceType = {
  name: 'deviceType',
  bits: DEVICE_TYPE_BITS,
  reading: (value: FieldValue) => (value === DEVICE_TYPE_PYLON ? 'pylon' : 'client'),
} as const;

const pylonType = { ...deviceType, min: DEVICE_TYPE_PYLON, max: DEVICE_TYPE_PYLON } as const;
const clientType = { ...deviceType, min: DEVICE_TYPE_CLIENT, max: DEVICE_TYPE_CLIENT } as const;

const deviceIndex = { name: 'deviceIndex', bits: DEVICE_INDEX_BITS } as const;
const pylonIndex = { ...deviceIndex, ...PYLON_INDEXES } as const;
const clientIndex = { ...deviceIndex, ...CLIENT_INDEXES } as const;
const workspaceIndex = { name: 'workspaceIndex', bits: WORKSPACE_INDEX_BITS, ...WORKSPACE_INDEXES } as const;
const conversationIndex = {
  name: 'conversationIndex',
  bits: CONVERSATION_INDEX_BITS,
  ...CONVERSATION_INDEXES,
} as const;

export const pylonIdLayout = defineLayout({
  name: 'pylonId',
  bits: 7,
  fields: [envId, pylonType, pylonIndex],
});

export const clientIdLayout = defineLayout({
  name: 'clientId',
  bits: 7,
  fields: [envId, clientType, clientIndex],
});

/**
 * A pylon or a client. For drawing, and for telling the two apart: it lets pylon 0 pass, because the limit of
 * one field cannot depend on another. `decodeDeviceId` has the whole rule.
 */
export const deviceIdLayout = defineLayout({
  name: 'deviceId',
  bits: 7,
  fields: [envId, deviceType, deviceIndex],
});

export const workspaceIdLayout = defineLayout({
  name: 'workspaceId',
  bits: 14,
  fields: [envId, pylonType, pylonIndex, workspaceIndex],
});

export const conversationIdLayout = defineLayout({
  name: 'conversationId',
  bits: 24,
  fields: [envId, pylonType, pylonIndex, workspaceIndex, conversationIndex],
});
