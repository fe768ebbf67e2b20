// Why a text is no ID: for what it looks like most, the first thing that is wrong, and where.
import { ExternalIdFormatError } from '../external/errors.js';
import { toInternalId } from '../external/one-shot.js';
import { validateUuid } from '../uuid/validate.js';

export interface OldDiagnosis {
  /** What it was taken for. */
  readonly kind: 'uuid' | 'number' | 'external' | 'unknown';
  readonly code: string;
  readonly message: string;
  /** The 0-based index of the first offending character, where there is one. */
  readonly position?: number;
}

const MAX_ID = 2n ** 64n - 1n;

function looksLikeUuid(text: string): boolean {
  return text.includes('-') || /^(?:\{|urn:)/i.test(text) || (text.length >= 24 && text.length <= 45);
}

/** What is wrong with a text that `readId` cannot read. */
export function diagnoseId(text: string): OldDiagnosis {
  if (/^[0-9]{15,}$/.test(text)) {
    const message = `a 64-bit ID is at most ${MAX_ID}`;
    return { kind: 'number', code: 'OUT_OF_RANGE', message };
  }
  if (text.length === 11) {
    try {
      toInternalId(text, { algorithm: 'none' });
    } catch (error) {
      if (error instanceof ExternalIdFormatError) {
        const { code, message, position } = error;
        return { kind: 'external', code, message, ...(position !== undefined && { position }) };
      }
    }
  }
  if (looksLikeUuid(text)) {
    const [error] = validateUuid(text).errors;
    if (error) {
      const { code, message, position } = error;
      return { kind: 'uuid', code, message, ...(position !== undefined && { position }) };
    }
  }
  return {
    kind: 'unknown',
    code: 'UNKNOWN_ID',
    message: 'neither a UUID, nor a 64-bit number, nor a public ID of 11 characters, nor an Estelle ID',
  };
}
