// Request bodies: small, JSON, and exactly what their schema says. What is wrong is named by its path and its rule, the
// value is never shown.
import type { ZodType, z } from 'zod';
import { Refusal } from './problem.js';

export const MAX_BODY_BYTES = 16 * 1024;

const TOO_LARGE = () =>
  new Refusal(413, 'BODY_TOO_LARGE', `a body may have ${MAX_BODY_BYTES} bytes`, { maxBytes: MAX_BODY_BYTES });

/** The bytes of a body, read no further than the limit. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  if (length !== null && Number(length) > MAX_BODY_BYTES) throw TOO_LARGE();
  // With a length that fits, the server itself reads no further.
  if (length !== null) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw TOO_LARGE();
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    // A name that objects have of themselves: parsers, copies and checks disagree on what it means.
    if (text.includes('__proto__')) throw new Error('a forbidden name');
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
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(?:; *charset="?utf-8"?)? *$/i.test(type)) {
    throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
  return validate(schema, parse(await readBytes(request)));
}
