// Turns plain values (from a database, a message, a form) into branded Estelle IDs: each guard says yes to
// exactly what its encoder can make. They never throw, and they make no errors on the way, since a relay
// asks for every message.
import type { FieldDescription } from '../layout/layout.js';
import type { ClientId, ConversationId, DeviceId, PylonId, WorkspaceId } from './ids.js';
import { clientIdLayout, conversationIdLayout, pylonIdLayout, workspaceIdLayout } from './layouts.js';

interface NumberLayout {
  readonly bits: number;
  describe(id: number): readonly FieldDescription[];
}

function canDecode(layout: NumberLayout, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isInteger(value)) return false;
  if (value < 0 || value >= 2 ** layout.bits) return false;
  return layout.describe(value).every((field) => field.inRange);
}

export function isPylonId(value: unknown): value is PylonId {
  return canDecode(pylonIdLayout, value);
}

export function isClientId(value: unknown): value is ClientId {
  return canDecode(clientIdLayout, value);
}

export function isDeviceId(value: unknown): value is DeviceId {
  return isPylonId(value) || isClientId(value);
}

export function isWorkspaceId(value: unknown): value is WorkspaceId {
  return canDecode(workspaceIdLayout, value);
}

export function isConversationId(value: unknown): value is ConversationId {
  return canDecode(conversationIdLayout, value);
}
