// Makes and reads Estelle IDs: environment → device → workspace → conversation, each level the one above it
// with an index appended. Every encode and decode checks type and range, so a
// decode refuses what no encode can make. The refusal is an `OutOfRangeError`, which is a `RangeError`.
import type { Branded } from '../branded.js';
import type { EnvId } from './environment.js';
import {
  clientIdLayout,
  conversationIdLayout,
  DEVICE_TYPE_PYLON,
  type DeviceType,
  deviceIdLayout,
  pylonIdLayout,
  workspaceIdLayout,
} from './layouts.js';

/** 7 bits: a server that holds workspaces. Comes from `encodePylonId`, a decode, or `isPylonId`. */
export type PylonId = Branded<number, 'PylonId'>;
/** 7 bits: an app. It holds no workspaces. */
export type ClientId = Branded<number, 'ClientId'>;
/** What a relay routes to. */
export type DeviceId = PylonId | ClientId;
/** 14 bits: a workspace of a pylon. */
export type WorkspaceId = Branded<number, 'WorkspaceId'>;
/** 24 bits: a conversation of a workspace. */
export type ConversationId = Branded<number, 'ConversationId'>;

interface DecodedDevice<Type extends DeviceType> {
  readonly envId: EnvId;
  readonly deviceType: Type;
  readonly deviceIndex: number;
}
export type DecodedPylonId = DecodedDevice<0>;
export type DecodedClientId = DecodedDevice<1>;
export type DecodedDeviceId = DecodedPylonId | DecodedClientId;

export interface DecodedWorkspaceId {
  readonly pylonId: PylonId;
  readonly workspaceIndex: number;
}

export interface DecodedConversationId {
  readonly workspaceId: WorkspaceId;
  readonly conversationIndex: number;
}

interface ConversationFields extends DecodedPylonId {
  readonly workspaceIndex: number;
  readonly conversationIndex: number;
}

export interface FullyDecodedConversationId extends ConversationFields {
  readonly pylonId: PylonId;
  readonly workspaceId: WorkspaceId;
}

// The casts below say in types what the layouts' limits hold at run time.

/** `deviceIndex` is 1 to 15: a pylon has no index 0. */
export function encodePylonId(envId: EnvId, deviceIndex: number): PylonId {
  return pylonIdLayout.encode({ envId, deviceIndex }) as PylonId;
}

/** `deviceIndex` is 0 to 15. */
export function encodeClientId(envId: EnvId, deviceIndex: number): ClientId {
  return clientIdLayout.encode({ envId, deviceIndex }) as ClientId;
}

/** `workspaceIndex` is 1 to 127. A client ID is refused: clients hold no workspaces. */
export function encodeWorkspaceId(pylonId: PylonId, workspaceIndex: number): WorkspaceId {
  return workspaceIdLayout.encode({ ...decodePylonId(pylonId), workspaceIndex }) as WorkspaceId;
}

/**
 * `conversationIndex` is 1 to 1023.
 *
 * ```ts
 * const workspaceId = encodeWorkspaceId(encodePylonId(2, 3), 5);
 * encodeConversationId(workspaceId, 9); // → 8786953
 * ```
 */
export function encodeConversationId(workspaceId: WorkspaceId, conversationIndex: number): ConversationId {
  const workspace = workspaceIdLayout.decode(workspaceId);
  return conversationIdLayout.encode({ ...workspace, conversationIndex }) as ConversationId;
}

export function decodePylonId(pylonId: number): DecodedPylonId {
  return pylonIdLayout.decode(pylonId) as DecodedPylonId;
}

export function decodeClientId(clientId: number): DecodedClientId {
  return clientIdLayout.decode(clientId) as DecodedClientId;
}

/** Reads either kind of device; `deviceType` in the result tells them apart. */
export function decodeDeviceId(deviceId: number): DecodedDeviceId {
  const { deviceType } = deviceIdLayout.decode(deviceId);
  return deviceType === DEVICE_TYPE_PYLON ? decodePylonId(deviceId) : decodeClientId(deviceId);
}

export function decodeWorkspaceId(workspaceId: number): DecodedWorkspaceId {
  const { workspaceIndex, ...pylon } = workspaceIdLayout.decode(workspaceId);
  return { pylonId: pylonIdLayout.encode(pylon) as PylonId, workspaceIndex };
}

export function decodeConversationId(conversationId: number): DecodedConversationId {
  const { conversationIndex, ...workspace } = conversationIdLayout.decode(conversationId);
  return { workspaceId: workspaceIdLayout.encode(workspace) as WorkspaceId, conversationIndex };
}

/** Every level of a conversation ID at once. */
export function decodeConversationIdFull(conversationId: number): FullyDecodedConversationId {
  const fields = conversationIdLayout.decode(conversationId) as ConversationFields;
  const pylonId = encodePylonId(fields.envId, fields.deviceIndex);
  return { ...fields, pylonId, workspaceId: encodeWorkspaceId(pylonId, fields.workspaceIndex) };
}

/**
 * `"env:type:device:workspace:conversation"`, each in decimal, for logs.
 *
 * ```ts
 * conversationIdToString(8786953); // → '2:0:3:5:9'
 * ```
 */
export function conversationIdToString(conversationId: number): string {
  const { envId, deviceType, deviceIndex, workspaceIndex, conversationIndex } =
    conversationIdLayout.decode(conversationId);
  return [envId, deviceType, deviceIndex, workspaceIndex, conversationIndex].join(':');
}
