// The peers of UUIDs that run on Node only.
import nodeCrypto from 'node:crypto';
import { v4 as rustV4 } from '@napi-rs/uuid';
import type { NativePeers } from './uuid-lines.ts';

/** Node has it from 24.21 and 26 on. */
const { randomUUIDv7 } = nodeCrypto as { randomUUIDv7?: () => string };

export const nativePeers: NativePeers = {
  v4: { '@napi-rs/uuid': () => rustV4() },
  v7: randomUUIDv7 ? { 'crypto.randomUUIDv7': () => randomUUIDv7() } : {},
};
