// A file of the page, as browsers want it: compressed where the build has it compressed, and cached as long as it stays
// what it is.
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

export interface PageFile {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The body, compressed when the page was built. */
  readonly encodings?: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>;
  /** Changes with the body; none: the file is sent whenever it is requested. */
  readonly etag?: string;
  /** Its name changes with its body, so a browser never has to ask again. */
  readonly isImmutable?: boolean;
}

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Kept by the browser, and used again once the server has said that it is still the same. */
const REVALIDATED = 'no-cache';

export function sendFile(
  context: Context,
  file: PageFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const { type, body, encodings = {}, etag, isImmutable = false } = file;
  const caching = {
    'cache-control': isImmutable ? IMMUTABLE : REVALIDATED,
    vary: 'accept-encoding',
    ...(etag !== undefined && { etag }),
  };
  if (etag !== undefined && context.req.header('if-none-match') === etag) {
    return context.body(null, 304, caching);
  }
  const supports = ENCODINGS.filter((encoding) => encodings[encoding] !== undefined);
  const encoding = accepts(context, {
    header: 'Accept-Encoding',
    supports: [...supports, 'identity'],
    default: 'identity',
    // The best of ours that the browser takes, whatever order it lists them in.
    match: (accepted) =>
      supports.find((offer) => accepted.some(({ type: name, q }) => name === offer && q > 0)) ?? 'identity',
  });
  const encoded = encodings[encoding as Encoding];
  return context.body(encoded ?? body, 200, {
    'content-type': type,
    ...headers,
    ...caching,
    ...(encoded && { 'content-encoding': encoding }),
  });
}
