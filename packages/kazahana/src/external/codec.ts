// A codec turns 64-bit IDs into external IDs and back.
import type { KazahanaId } from '../id/layout.js';
import type { ExternalId } from './base64url.js';
import { bodyCodecFor } from './cipher.js';
import { framedCodec } from './frame.js';
import { type Choice, choose, type ExternalIdOptions } from './options.js';
import { highestId, type ParseOptions } from './parse.js';

export interface ExternalIdCodec {
  /** The external form of an ID; throws `InvalidArgumentError` for what is no bigint, `OutOfRangeError` for another size. */
  toExternalId(id: bigint): ExternalId;
  /** The ID of an external form; throws `ExternalIdFormatError` for what is the form of no ID. */
  toInternalId(externalId: string): KazahanaId;
  /**
   * The ID of a text from outside; undefined where it is the form of no ID, or of one that no generator can have made
   * yet. Whatever the text, this does not throw; wrong options do.
   */
  parse(text: unknown, options?: ParseOptions): KazahanaId | undefined;
}

export function codecFor({ cipher, frame }: Choice): ExternalIdCodec {
  const { toExternalId, toInternalId, tryInternalId } =
    frame === undefined ? bodyCodecFor(cipher) : framedCodec(frame);
  return Object.freeze({
    toExternalId,
    toInternalId,
    parse(text: unknown, options?: ParseOptions) {
      const highest = highestId(options);
      const id = tryInternalId(text);
      return id !== undefined && id <= highest ? id : undefined;
    },
  });
}

/**
 * Makes a codec and works out its keys once; hold on to it where IDs are converted often.
 *
 * ```ts
 * const orders = createExternalIdCodec({ prefix: 'order', secret: 'correct horse battery staple' });
 * orders.toInternalId(orders.toExternalId(42n)); // → 42n
 * orders.parse('user_AAAAAAAAAAA'); // → undefined
 * ```
 */
export function createExternalIdCodec(options?: ExternalIdOptions): ExternalIdCodec {
  return codecFor(choose(options));
}
