// What a handler answers, as plain data: the headers that all answers have are added to it, and it becomes a `Response`
// or goes to Node's server as it is.

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

export const json = (value: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

export const NO_CONTENT: Reply = { status: 204, body: null };

/** For every answer: none of them is to be kept, guessed at, framed, read by another site, or run as anything. */
const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

/** With the headers that all answers have. */
export function complete({ status, headers, body }: Reply, more?: Readonly<Record<string, string>>): Reply {
  return { status, headers: { ...COMMON_HEADERS, ...headers, ...more }, body };
}

export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body, { status, ...(headers && { headers }) });
}
