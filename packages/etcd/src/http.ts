// One HTTP exchange with one member of etcd. Not `fetch`: that takes no client certificates.
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { EtcdTlsOptions } from './options.js';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** More at once would only wait inside etcd. */
const MAX_CONNECTIONS = 64;

/** A connection that never came about: nothing was sent. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

export function neverConnected(error: unknown): boolean {
  return NEVER_CONNECTED.includes(String((error as { code?: unknown }).code));
}

export class HttpMember {
  readonly url: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #request: typeof httpRequest;

  constructor(url: URL, tls: EtcdTlsOptions) {
    this.url = url;
    const isHttps = url.protocol === 'https:';
    const { ca, cert, key } = tls;
    const pem = Object.entries({ ca, cert, key }).map(([name, value]) => [name, value && Buffer.from(value)]);
    const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.#agent = isHttps
      ? new HttpsAgent({ ...settings, ...Object.fromEntries(pem.filter(([, value]) => value !== undefined)) })
      : new HttpAgent(settings);
    this.#request = isHttps ? httpsRequest : httpRequest;
  }

  post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const bytes = Buffer.from(body);
      const options: RequestOptions = {
        method: 'POST',
        agent: this.#agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
        signal,
      };
      const request = this.#request(new URL(path, this.url), options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        // Closed without an end, it was cut off.
        response.on('close', () => {
          if (!response.complete) reject(new Error('the answer was cut off'));
        });
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      });
      request.on('error', reject);
      request.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
