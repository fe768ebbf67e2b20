// From Node's messages to the app and back: a request as the app reads it, and its reply written.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Environment } from 'kazahana/lease';
import type { Asked } from './asked.js';
import type { Reply } from './reply.js';

/** The Host header, or the path, is missing or none. */
export class UnreadableRequestError extends Error {}

/**
 * Who has its answer may still be sending a body that nobody wants. It is read for so long, or the answer would be lost
 * on the way; then the connection ends.
 */
const LINGER_MS = 500;

/** Hosts and paths that stand in a URL as they are; all others are read by the platform's own parser. */
const PLAIN_HOST = /^[a-z0-9][a-z0-9.-]*(?::[1-9]\d{0,4})?$/;
const PLAIN_PATH = /^\/[!$&-;=?-Z_a-z~]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?]|$)/;

function urlOf({ url = '', headers: { host } }: IncomingMessage, protocol: string): string {
  const isAbsolute = /^https?:\/\//i.test(url);
  if (!isAbsolute && (!host || !url.startsWith('/'))) throw new UnreadableRequestError();
  const text = isAbsolute ? url : `${protocol}://${host}${url}`;
  if (!isAbsolute && PLAIN_HOST.test(host ?? '') && PLAIN_PATH.test(url) && !DOT_SEGMENT.test(url))
    return text;
  // A host in which there is a path or a name would move the request elsewhere, and one that is written in another way
  // is not the one that was allowed.
  if (!URL.canParse(text) || (!isAbsolute && /[\s%/?#@\\]|:$/.test(host ?? '')))
    throw new UnreadableRequestError();
  return new URL(text).href;
}

class NodeRequest implements Asked {
  readonly url: string;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage, protocol: string) {
    this.#message = message;
    this.url = urlOf(message, protocol);
  }

  get method(): string {
    return this.#message.method ?? '';
  }

  get headers(): this {
    return this;
  }

  get(name: string): string | null {
    const value = this.#message.headers[name];
    return typeof value === 'string' ? value : null;
  }

  get body(): AsyncIterable<Uint8Array> {
    // Who stops reading in the middle must still be able to answer.
    return this.#message.iterator({ destroyOnReturn: false });
  }

  text(): Promise<string> {
    const message = this.#message;
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      message.on('data', (piece: Buffer) => pieces.push(piece));
      message.on('error', reject);
      message.on('end', () => {
        const [first] = pieces;
        const whole = pieces.length === 1 && first ? first : Buffer.concat(pieces);
        resolve(withoutMark(whole.toString('utf8')));
      });
      message.on('close', () => {
        if (!message.complete) reject(new Error('the body has broken off'));
      });
    });
  }
}

/** A text may begin with a mark of its byte order. */
const withoutMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** Connections on which a stream goes out: nothing else can be said there. */
const streaming = new WeakSet<Socket>();
export const isStreaming = (socket: Socket): boolean => streaming.has(socket);

function write(
  { status, headers, body }: Reply,
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  if (body instanceof ReadableStream) {
    streaming.add(socket);
    response.writeHead(status, headers).flushHeaders();
    // A reader who leaves ends the stream, and there is nobody to tell.
    pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response)
      .catch(() => undefined)
      .finally(() => streaming.delete(socket));
    return;
  }
  if (body === null) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** Reads what is left of a request that was answered before its end; Node does so only where nobody has begun to. */
function readRest(message: IncomingMessage, environment: Environment): void {
  // Node takes it from the message when the message ends.
  const { socket } = message;
  message.resume();
  environment.sleep(LINGER_MS, { background: true }).then(() => {
    if (!message.complete) socket.destroy();
  });
}

/** A listener for Node's servers. `unreadable` is the reply to what never reaches the app. */
export function toListener(
  handle: (asked: Asked) => Promise<Reply>,
  protocol: 'http' | 'https',
  unreadable: (error: unknown) => Reply,
  environment: Environment,
): RequestListener {
  const reply = async (message: IncomingMessage) => handle(new NodeRequest(message, protocol));
  return (message, response) => {
    reply(message)
      .catch(unreadable)
      .then((answer) => {
        if (!message.complete) response.once('finish', () => readRest(message, environment));
        write(answer, message, response);
      })
      // Whatever it is, it must not end the process.
      .catch(() => response.destroy());
  };
}
