// What a handler answers, as plain data: the app makes one response of it and of the headers that all answers have.
// (To set headers on a finished response costs more than all else that is done for it.)

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
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

export function toResponse(
  { status, headers, body }: Reply,
  more?: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { status, headers: { ...COMMON_HEADERS, ...headers, ...more } });
}
