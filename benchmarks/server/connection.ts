// HTTP/1.1 on a bare socket, one request at a time: a generator of load must cost less than the server that it loads,
// and Node's own client costs as much.
import { connect, type Socket } from 'node:net';

export interface ReceivedResponse {
  readonly status: number;
  readonly body: string;
}

export class Connection {
  readonly #socket: Socket;
  readonly #head: string;
  #received = '';
  #waiting: { resolve: (response: ReceivedResponse) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket, host: string, token: string) {
    this.#socket = socket;
    this.#head = `host: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
    socket.setNoDelay(true);
    // Bodies here are ASCII, so that characters are bytes.
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#receive(text));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server has closed the connection')));
  }

  static open(url: string, token: string): Promise<Connection> {
    const { hostname, port, host } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.off('error', reject);
        resolve(new Connection(socket, host, token));
      });
      socket.once('error', reject);
    });
  }

  send(method: string, path: string, body: string): Promise<ReceivedResponse> {
    const response = new Promise<ReceivedResponse>((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\n${this.#head}content-length: ${body.length}\r\n\r\n${body}`,
    );
    return response;
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    const body = this.#received.slice(headEnd + 4, end);
    this.#received = this.#received.slice(end);
    const { resolve } = this.#waiting ?? {};
    this.#waiting = undefined;
    resolve?.({ status: Number(head.slice(9, 12)), body });
  }

  #fail(error: Error): void {
    const { reject } = this.#waiting ?? {};
    this.#waiting = undefined;
    reject?.(error);
  }
}
