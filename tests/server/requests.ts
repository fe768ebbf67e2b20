// Requests to an app without a socket, and the parts of responses that tests look at.
import type { LeaseApp } from '@kazahana/server';

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
}

export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests are about
  readonly json: any;
}

const ORIGIN = 'http://127.0.0.1:7420';

export function toRequest(path: string, { method, headers = {}, body }: Call = {}): Request {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
  return new Request(ORIGIN + path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: (isRaw ? body : JSON.stringify(body)) as BodyInit, duplex: 'half' }),
  } as RequestInit);
}

export async function ask({ fetch }: Pick<LeaseApp, 'fetch'>, path: string, call?: Call): Promise<Seen> {
  const response = await fetch(toRequest(path, call));
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
