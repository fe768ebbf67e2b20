// Request bodies: small, JSON, and exactly what their schema says. A refusal names the path and the rule of a fault,
// never the value.
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ZodType, z } from 'zod';
import { Refusal } from './problem.js';

export const MAX_BODY_BYTES = 16 * 1024;

function refuseLarge(): never {
  const maxBytes = MAX_BODY_BYTES;
  throw new Refusal(413, 'BODY_TOO_LARGE', `a body may have ${maxBytes} bytes`, { maxBytes });
}

const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: refuseLarge });

async function readText(context: Context): Promise<string> {
  try {
    await limit(context, async () => {});
    const text = await context.req.text();
    // The middleware trusts Content-Length. Node enforces it, but a `Request` made by hand may lie; body.test.ts, "for its
    // length, said or not, true or not".
    return text.length > MAX_BODY_BYTES ? refuseLarge() : text;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, 'INCOMPLETE_BODY', 'the body has broken off');
  }
}

/** Stands in decoded text for bytes that are not UTF-8. A client that means this character writes it as an escape. */
const BROKEN = '\ufffd';

function parse(text: string): unknown {
  try {
    // `__proto__` is a name that every object has: parsers, copies and checks disagree on what it means.
    if (text.includes(BROKEN) || text.includes('__proto__')) throw new Error('a forbidden text');
    return JSON.parse(text);
  } catch {
    // The message of the parser quotes the text.
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
  context: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/json *(?:; *charset="?utf-8"?)? *$/i.test(type))
    throw new Refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  return validate(schema, parse(await readText(context)));
}
