// kazahana/zod: every kind of ID as a zod schema. Those of 64 bits are codecs: text in JSON and URLs, a bigint in the program.
import * as z from 'zod';
import {
  type ClientId,
  type ConversationId,
  isClientId,
  isConversationId,
  isPylonId,
  isWorkspaceId,
  type PylonId,
  type WorkspaceId,
} from '../estelle/index.js';
import type { ExternalIdCodec, ParseOptions } from '../external/index.js';
import type { KazahanaId } from '../id/index.js';
import { isCanonicalUuid, uuidVersion } from '../uuid/index.js';

const MAX_SIGNED = 2n ** 63n - 1n;

const isId = (value: unknown): value is KazahanaId =>
  typeof value === 'bigint' && value >= 0n && value <= MAX_SIGNED;
const idInProgram = () => z.custom<KazahanaId>(isId, { error: 'must be a bigint from 0 to 2^63 - 1' });

/**
 * A 64-bit ID as decimal digits, as JSON carries it; a bigint after parsing. `z.encode` gives the digits back.
 *
 * ```ts
 * import { kazahanaId } from 'kazahana/zod';
 *
 * kazahanaId().parse('115612034447441927'); // → 115612034447441927n
 * ```
 */
export function kazahanaId() {
  return z.codec(z.string().regex(/^(?:0|[1-9]\d{0,18})$/), idInProgram(), {
    decode: (text) => BigInt(text) as KazahanaId,
    encode: String,
  });
}

/** An external ID of a codec; a bigint after parsing. What no generator can have made is refused, as `codec.parse` does. */
export function externalId(codec: ExternalIdCodec, options?: ParseOptions) {
  return z.codec(z.string(), idInProgram(), {
    decode(text, context) {
      const id = codec.parse(text, options);
      if (id !== undefined) return id;
      context.issues.push({ code: 'custom', input: text, message: 'must be an external ID' });
      return z.NEVER;
    },
    encode: (id) => codec.toExternalId(id),
  });
}

/** A UUID in canonical form, Nil and Max included; of one version where it is named. */
export function uuid(version?: number) {
  return z.stringFormat('uuid', (text) =>
    version === undefined ? isCanonicalUuid(text) : isCanonicalUuid(text) && uuidVersion(text) === version,
  );
}

const estelle = <Id extends number>(isOne: (value: unknown) => value is Id, what: string) =>
  z.custom<Id>(isOne, { error: `must be ${what}` });

export const pylonId = () => estelle<PylonId>(isPylonId, 'a pylon ID');
export const clientId = () => estelle<ClientId>(isClientId, 'a client ID');
export const workspaceId = () => estelle<WorkspaceId>(isWorkspaceId, 'a workspace ID');
export const conversationId = () => estelle<ConversationId>(isConversationId, 'a conversation ID');
