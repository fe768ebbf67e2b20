// A way to a server that can be cut, delayed, made to swallow everything, and pointed at another server.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export async function openProxy(first: number) {
  /** The port that it leads to; undefined while it is cut. */
  let target: number | undefined = first;
  let [delayMs, isSilent] = [0, false];
  const sockets = new Set<Socket>();
  /** In order, each piece after the delay that holds when it comes. Pieces that come in silence are lost. */
  const lead = (from: Socket, to: Socket) => {
    let [isLost, dueAt, waiting] = [false, 0, 0];
    from.on('data', (piece) => {
      isLost ||= isSilent;
      if (isLost) return;
      dueAt = Math.max(dueAt, performance.now() + delayMs);
      const wait = dueAt - performance.now();
      if (wait <= 0 && waiting === 0) return void to.write(piece);
      waiting++;
      setTimeout(() => {
        waiting--;
        if (to.writable) to.write(piece);
      }, wait);
    });
  };
  const server = createServer((incoming) => {
    if (target === undefined) return void incoming.destroy();
    const outgoing = connect(target, '127.0.0.1');
    lead(incoming, outgoing);
    lead(outgoing, incoming);
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
    /** Every message takes so much longer. */
    delay(ms: number) {
      delayMs = ms;
    },
    /** Connections stay open and carry nothing any more: also afterwards, since what was lost is missing in them. */
    swallow(isSwallowing: boolean) {
      isSilent = isSwallowing;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
