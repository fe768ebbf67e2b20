// Mending that cannot change the ID: the digits stay as they are, only what stands around and between them is put right.
import { validateUuid } from 'kazahana/uuid';

/** Longer than any UUID with quotes, commas and blanks around it. */
const LONGEST = 80;

/** A valid UUID that has the same 32 digits as the text, if there is one. */
export function safeFix(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const bare = text.replace(/^\W*(?:urn\W*)?(?:uuid\W*)?/i, '');
  // Hyphens of every script, blanks, quotes, brackets and commas; a letter that is no digit is not ours to guess.
  const digits = bare.replace(/[\p{Pd}\p{Zs}\p{Cf}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`,;:._\s]/gu, '');
  if (!/^[0-9a-f]{32}$/i.test(digits)) return undefined;
  const { normalized } = validateUuid(digits);
  return normalized === null || normalized === text ? undefined : normalized;
}
