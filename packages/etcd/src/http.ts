// One HTTP exchange with one member of etcd. Not `fetch`: that takes no client certificates.
import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { EtcdTlsOptions } from './options.js';

export interface HttpResponse {
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
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;

  constructor(url: URL, tls: EtcdTlsOptions) {
    this.url = url;
    const isHttps = url.protocol === 'https:';
    const settings = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
    this.#agent = isHttps
      ? new HttpsAgent({ ...settings, ...(tls as AgentOptions) })
      : new HttpAgent(settings);
    this.#request = isHttps ? httpsRequest : httpRequest;
  }

  async post(path: string, body: string, headers: object, signal: AbortSignal): Promise<HttpResponse> {
    const allHeaders = { ...headers, 'content-type': 'application/json' };
    const options = { method: 'POST', agent: this.#agent, headers: allHeaders, signal };
    const request = this.#request(new URL(path, this.url), options);
    const responding = once(request, 'response') as Promise<[IncomingMessage]>;
    request.end(body);
    const [response] = await responding;
    // An error from here on is one of the response.
    request.on('error', () => {});
    return { status: response.statusCode ?? 0, text: await text(response) };
  }

  close(): void {
    this.#agent.destroy();
  }
}
