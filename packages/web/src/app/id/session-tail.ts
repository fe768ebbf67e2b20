// A v7 of this page with a session tail: 46 of its last 62 bits are the same in every ID of the page, and are no chance.
import type { ReadingField } from 'kazahana/inspect';

const SESSION_BITS = 46;
const TAIL_BITS = 62;

/** The fields of a v7, with the session as a field of its own. */
export function withSession(fields: readonly ReadingField[]): readonly ReadingField[] {
  return fields.flatMap((field) => {
    if (field.bits !== TAIL_BITS) return [field];
    const restBits = TAIL_BITS - SESSION_BITS;
    const value = BigInt(field.value);
    const rest = value & (2n ** BigInt(restBits) - 1n);
    const session = value >> BigInt(restBits);
    return [
      {
        ...field,
        name: 'session',
        bits: SESSION_BITS,
        max: 2 ** SESSION_BITS - 1,
        value: Number(session),
        role: 'machine',
        meaning: null,
        reading: session.toString(16),
      },
      {
        ...field,
        offset: field.offset + SESSION_BITS,
        bits: restBits,
        max: 2 ** restBits - 1,
        value: Number(rest),
      },
    ];
  });
}
