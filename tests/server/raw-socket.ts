// A bare socket to a server, for what no HTTP client would send.
import { connect, type Socket } from 'node:net';

export interface RawSocket {
  readonly socket: Socket;
  /** What has come so far. */
  received(): string;
  /** Resolves when so much is there that the test is content, or the server has ended the connection. */
  until(isEnough: (received: string) => boolean): Promise<string>;
  /** Resolves, to all that came, when the server has ended the connection. */
  readonly ended: Promise<string>;
}

export function openSocket(url: string, firstWords = ''): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
    let received = '';
    let isEnded = false;
    const waiting = new Set<() => void>();
    const look = () => {
      for (const check of waiting) check();
    };
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
      look();
    });
    socket.once('error', reject);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      isEnded = true;
      look();
    });
    const until = (isEnough: (text: string) => boolean) =>
      new Promise<string>((done) => {
        const check = () => {
          if (!isEnded && !isEnough(received)) return;
          waiting.delete(check);
          done(received);
        };
        waiting.add(check);
        check();
      });
    socket.once('connect', () => {
      if (firstWords !== '') socket.write(firstWords, 'latin1');
      resolve({ socket, received: () => received, until, ended: until(() => false) });
    });
  });
}

/** Sends bytes and waits for the end of the connection. */
export async function exchange(url: string, words: string): Promise<string> {
  const { ended, socket } = await openSocket(url, words);
  const response = await ended;
  socket.destroy();
  return response;
}

/** The parts of a response as it stands on the wire. */
export function readResponse(raw: string): { status: number; headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
