// The two questions that `verify` asks of millions of IDs, without taking each apart in full; a test holds the answers
// equal to `decodeId`.
import { DEFAULT_ID_LAYOUT, type IdLayout } from 'kazahana';

export function resolveIdLayoutBits(layout: Partial<IdLayout>) {
  const { customEpoch, bitId, bitSeq } = { ...DEFAULT_ID_LAYOUT, ...layout };
  const suffix = BigInt(bitId + bitSeq);
  const fallbackBit = 1n << (suffix - 1n);
  return {
    unixMsOf: (id: bigint) => Number(id >> suffix) + customEpoch,
    isFallback: (id: bigint) => (id & fallbackBit) !== 0n,
  };
}
