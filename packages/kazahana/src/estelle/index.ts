export { InvalidArgumentError, OutOfRangeError } from '../errors.js';
export { type AllocatorState, AllocatorStateError, type IndexRange } from './allocator-state.js';
export { type EnvId, type EnvName, envName, isEnvId, MAX_ENV_ID } from './environment.js';
export { isClientId, isConversationId, isDeviceId, isPylonId, isWorkspaceId } from './guards.js';
export {
  type ClientId,
  type ConversationId,
  conversationIdToString,
  type DecodedClientId,
  type DecodedConversationId,
  type DecodedDeviceId,
  type DecodedPylonId,
  type DecodedWorkspaceId,
  type DeviceId,
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
  type FullyDecodedConversationId,
  type PylonId,
  type WorkspaceId,
} from './ids.js';
export {
  IndexAllocator,
  IndexesExhaustedError,
  IndexNotTakenError,
  IndexTakenError,
} from './index-allocator.js';
export * from './layouts.js';
