// What stands around the 11 characters: a prefix that says what the ID names, and the label of the key.
import { BODY_LENGTH, diagnoseBody, type ExternalId } from './base64url.js';
import { type BodyCodec, bodyCodecFor } from './cipher.js';
import { ExternalIdFormatError } from './errors.js';
import { type Cipher, type Frame, NO_LABEL } from './options.js';

export function framedCodec({ prefix, ciphers, current }: Frame): BodyCodec {
  const head = prefix === undefined ? '' : `${prefix}_`;
  const start = `${head}${current.label}`;
  const codecFor = (label: string, cipher: Cipher) =>
    bodyCodecFor(cipher, prefix, label === NO_LABEL ? 'secret' : `secrets.${label}`);
  const writer = codecFor(current.label, current.cipher);
  const readers = new Map<string, BodyCodec>();
  for (const [label, cipher] of ciphers) readers.set(label, codecFor(label, cipher));

  /** The codec that a text calls for; its length tells whether it has a label, so nothing is guessed. */
  function readerOf(text: string): BodyCodec | undefined {
    const label = text.slice(head.length, -BODY_LENGTH);
    const isWhole = text.length === head.length + label.length + BODY_LENGTH;
    return isWhole && text.startsWith(head) ? readers.get(label) : undefined;
  }

  function tryInternalId(text: unknown) {
    return typeof text === 'string' ? readerOf(text)?.tryInternalId(text.slice(-BODY_LENGTH)) : undefined;
  }

  function diagnose(text: unknown): ExternalIdFormatError {
    if (typeof text !== 'string') return new ExternalIdFormatError('NOT_A_STRING', 'a string', text);
    if (!text.startsWith(head)) {
      return new ExternalIdFormatError('PREFIX', `one that starts with "${head}"`, text);
    }
    if (readerOf(text) !== undefined) return diagnoseBody(text, text.length - BODY_LENGTH);
    const lengths = new Set([...readers.keys()].map((label) => head.length + label.length + BODY_LENGTH));
    if (!lengths.has(text.length)) {
      const allowed = [...lengths].sort((a, b) => a - b).join(' or ');
      return new ExternalIdFormatError('LENGTH', `${allowed} characters long`, text);
    }
    const labels = [...readers.keys()].filter((label) => label !== NO_LABEL).join(', ');
    return new ExternalIdFormatError(
      'LABEL',
      `under the label of a known key (${labels})`,
      text,
      head.length,
    );
  }

  return {
    toExternalId: (id) => `${start}${writer.toExternalId(id)}` as ExternalId,
    toInternalId(text) {
      const id = tryInternalId(text);
      if (id === undefined) throw diagnose(text);
      return id;
    },
    tryInternalId,
  };
}
