// A way to a server that can fall silent: what is sent is not delivered any more, and neither side is told, as when a
// route is dropped.
import { connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  readonly port: number;
  /** How many connections were ever made through it. */
  connections(): number;
  /** From now on nothing passes through the connections that there are; new ones pass. */
  silence(): void;
  /** New connections are refused … */
  refuse(): Promise<void>;
  /** … or pass again. Those that fell silent stay so. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

export async function silentProxy(target: number): Promise<SilentProxy> {
  const open = new Set<Socket>();
  const silenced = new Set<Socket>();
  let made = 0;
  const forward = (from: Socket, to: Socket) => {
    open.add(from);
    from.on('data', (data) => to.write(data));
    from.on('end', () => to.end());
    from.on('error', () => {});
    from.on('close', () => {
      open.delete(from);
      if (!silenced.has(from)) to.destroy();
    });
  };
  const listener = createServer({ allowHalfOpen: true }, (inbound) => {
    made++;
    const outbound = connect(target, '127.0.0.1');
    forward(inbound, outbound);
    forward(outbound, inbound);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = listener.address() as { port: number };
  const refuse = async () => {
    // It ends when its connections do; that no new ones are made is so at once.
    listener.close();
  };
  return {
    port,
    connections: () => made,
    silence() {
      for (const socket of open) {
        silenced.add(socket);
        // Not even the end of a connection is noticed.
        socket.pause();
      }
    },
    refuse,
    accept: () => listen(port),
    async close() {
      for (const socket of open) socket.destroy();
      await refuse();
    },
  };
}
