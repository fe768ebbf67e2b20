// Request bodies: small, JSON, and exactly what their schema says. What is wrong is named by its path and its rule, the
// value is never shown.
import type { ZodType, z } from 'zod';
import type { Asked } from './asked.js';
import { Refusal } from './problem.js';

export const MAX_BODY_BYTES = 16 * 1024;

const TOO_LARGE = () =>
  new Refusal(413, 'BODY_TOO_LARGE', `a body may have ${MAX_BODY_BYTES} bytes`, { maxBytes: MAX_BODY_BYTES });

/** The text of a body, read no further than the limit. */
async function readText(request: Asked): Promise<string> {
  const length = request.headers.get('content-length');
  const isKnown = length !== null && /^\d{1,15}$/.test(length);
  if (isKnown && Number(length) > MAX_BODY_BYTES) throw TOO_LARGE();
  let text: string;
  try {
    // With a length that fits, the server itself reads no further.
    text = isKnown ? await request.text() : await readPieces(request);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Whoever sent it has gone, or was too slow.
    throw new Refusal(400, 'INCOMPLETE_BODY', 'the body has broken off');
  }
  // Outside of a server a length may be made up.
  if (text.length > MAX_BODY_BYTES) throw TOO_LARGE();
  return text;
}

/** A body whose length is not known beforehand, read until it is all there or too much. */
async function readPieces({ body }: Asked): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.length;
    pieces.push(piece);
    if (size > MAX_BODY_BYTES) throw TOO_LARGE();
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** Stands in decoded text for bytes that are no UTF-8. Who really means this character writes it as an escape. */
const BROKEN = '\ufffd';

function parse(text: string): unknown {
  try {
    // The other is a name that objects have of themselves: parsers, copies and checks disagree on what it means.
    if (text.includes(BROKEN) || text.includes('__proto__')) throw new Error('a forbidden text');
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the text.
    throw new Refusal(400, 'INVALID_JSON', 'the body is not JSON in UTF-8');
  }
}

/** The value, if it is what the schema says. */
export function validate<Schema extends ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, 8).map(({ path, message }) => ({
    path: path.map((part) => String(part).slice(0, 40)).join('.'),
    message: message.slice(0, 200),
  }));
  const [first] = issues;
  const where = first?.path ? `${first.path}: ` : '';
  throw new Refusal(400, 'INVALID_REQUEST', `${where}${first?.message ?? 'not what is expected'}`, {
    issues,
  });
}

/** The JSON body of a request, checked. */
export async function readBody<Schema extends ZodType>(
  request: Asked,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const type = request.headers.get('content-type') ?? '';
  if (type !== 'application/json' && !/^application\/json *(?:; *charset="?utf-8"?)? *$/i.test(type)) {
    throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
  return validate(schema, parse(await readText(request)));
}
