// A way to a server that can be cut, and pointed at another server.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export async function openProxy(first: number) {
  /** The port that it leads to; undefined while it is cut. */
  let target: number | undefined = first;
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    if (target === undefined) return void incoming.destroy();
    const outgoing = connect(target, '127.0.0.1');
    incoming.pipe(outgoing).pipe(incoming);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        for (const end of [incoming, outgoing]) end.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      target = undefined;
      for (const socket of sockets) socket.destroy();
    },
    pointTo(port: number) {
      target = port;
    },
  };
}
