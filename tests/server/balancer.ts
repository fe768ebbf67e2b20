// A balancer as small as can be: connections go to one server after the other, and past those that do not respond.
import { connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** Connections that each server got. */
  readonly counts: readonly number[];
  close(): Promise<void>;
}

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const counts = urls.map(() => 0);
  const sockets = new Set<Socket>();
  let turn = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    const first = turn++ % urls.length;
    const attempt = (tries: number) => {
      if (tries === urls.length) {
        client.destroy();
        return;
      }
      const at = (first + tries) % urls.length;
      const { hostname, port } = new URL(urls[at] ?? '');
      const upstream = connect(Number(port), hostname);
      upstream.once('error', () => attempt(tries + 1));
      upstream.once('connect', () => {
        counts[at] = (counts[at] ?? 0) + 1;
        keep(upstream);
        client.pipe(upstream).pipe(client);
        client.on('close', () => upstream.destroy());
        upstream.on('close', () => client.destroy());
      });
    };
    attempt(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
