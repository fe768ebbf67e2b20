// kazahana's codec around any permutation, to compare permutations with everything else being the same.
import type { ExternalIdCodec } from 'kazahana/external';
import { decodeBase64Url, encodeBase64Url } from '../../packages/kazahana/dist/external/base64url.js';
import { loadId, newBlock, readId } from '../../packages/kazahana/dist/external/block.js';
import type { Pair } from './mixers.ts';

export function codecOf({ forward, backward }: Pair): Pick<ExternalIdCodec, 'toExternalId' | 'toInternalId'> {
  const block = newBlock();
  return {
    toExternalId(id) {
      loadId(block, id);
      forward(block);
      return encodeBase64Url(block);
    },
    toInternalId(externalId) {
      decodeBase64Url(externalId, block);
      backward(block);
      return readId(block);
    },
  };
}
