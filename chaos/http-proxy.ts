// A load balancer that misbehaves: it leads each request to one of several servers, and on demand delays, cuts, swallows,
// repeats and swaps messages.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../simulation/world.ts';

export const MISCHIEFS = ['delay', 'cut', 'half-open', 'repeat', 'swap'] as const;
export type Mischief = (typeof MISCHIEFS)[number];

interface Message {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** This part of the messages is affected while a mischief lasts. */
const SHARE = 0.7;
/** Beyond what clients wait for an attempt, at times. */
const LONGEST_DELAY_MS = 7000;
/** A response waits so long for another one to be swapped with. */
const SWAP_MS = 1500;

export class HttpProxy {
  /** Messages that were affected, by mischief. */
  readonly affected = new Map<Mischief, number>();
  readonly #ports: readonly number[];
  readonly #random: Random;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((incoming, outgoing) => {
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    this.#serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  #next = 0;
  #mischief: Mischief | undefined;
  #waiting: ((other: Message) => Message) | undefined;

  constructor(ports: readonly number[], random: Random) {
    this.#ports = ports;
    this.#random = random;
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What it does from now on; undefined: its work. */
  misbehave(mischief: Mischief | undefined): void {
    this.#mischief = mischief;
    if (mischief === 'cut') this.#server.closeAllConnections();
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
    this.#agent.destroy();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const mischief = this.#random.chance(SHARE) ? this.#mischief : undefined;
    if (mischief) this.affected.set(mischief, (this.affected.get(mischief) ?? 0) + 1);
    // Neither of the two ends hears of the other again.
    if (mischief === 'half-open') return;
    // Some are lost before the server gets them, some when it has done what was requested.
    if (mischief === 'cut' && this.#random.chance(0.5)) throw new Error('cut');
    if (mischief === 'delay') await sleep(this.#random.integer(0, LONGEST_DELAY_MS / 2));
    let response = await this.#forward(incoming, body);
    if (mischief === 'repeat') {
      // Once more, as a network does that retries; one of the two responses comes back.
      const again = await this.#forward(incoming, body);
      if (this.#random.chance(0.5)) response = again;
    }
    if (mischief === 'delay') await sleep(this.#random.integer(0, LONGEST_DELAY_MS / 2));
    if (mischief === 'cut') throw new Error('cut');
    if (mischief === 'swap') response = await this.#swap(response);
    const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...headers } = response.headers;
    outgoing.writeHead(response.status, headers).end(response.body);
  }

  /** Two responses that are here at the same time go to each other's caller. */
  async #swap(response: Message): Promise<Message> {
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      return waiting(response);
    }
    return new Promise<Message>((resolve) => {
      const give = (other: Message) => {
        resolve(other);
        return response;
      };
      this.#waiting = give;
      setTimeout(() => {
        if (this.#waiting === give) this.#waiting = undefined;
        resolve(response);
      }, SWAP_MS);
    });
  }

  /** The next server in turn; one that does not take connections is passed over. */
  async #forward(incoming: IncomingMessage, body: Buffer): Promise<Message> {
    for (let tries = 1; ; tries++) {
      const port = this.#ports[this.#next++ % this.#ports.length] as number;
      try {
        return await this.#ask(port, incoming, body);
      } catch (error) {
        const isDown = (error as { code?: string }).code === 'ECONNREFUSED';
        if (!isDown || tries === this.#ports.length)
          return { status: 502, headers: {}, body: Buffer.from('the server is gone') };
      }
    }
  }

  #ask(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Message> {
    return new Promise((resolve, reject) => {
      const { connection: _, 'transfer-encoding': __, ...kept } = headers;
      const options = {
        ...{ host: '127.0.0.1', port, method, path: url, agent: this.#agent },
        headers: { ...kept, host: `127.0.0.1:${port}`, 'content-length': body.length },
      };
      const sent = request(options, (response) => {
        readAll(response).then(
          (bytes) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: bytes }),
          reject,
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
