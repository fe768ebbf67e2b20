// So many sockets that never finish their headers: each sends a few bytes a second, and comes again when it is thrown
// out. Runs until it is killed: `node slow-sockets.ts <count> <url> …`, the count for each URL. For every line on its
// standard input it says how many are open.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [count = '0', ...urls] = process.argv.slice(2);
const BYTE_EVERY_MS = 1000;
let open = 0;
let thrownOut = 0;

function crawl(url: string): void {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => {
    open++;
    socket.write('POST /lease HTTP/1.1\r\nhost: 127.0.0.1\r\n');
  });
  const drip = setInterval(() => socket.writable && socket.write('x-slow: 1\r\n'), BYTE_EVERY_MS);
  socket.on('error', () => undefined);
  socket.resume();
  socket.on('close', () => {
    clearInterval(drip);
    open--;
    thrownOut++;
    setTimeout(() => crawl(url), 10);
  });
}

for (const url of urls) for (let i = 0; i < Number(count); i++) setTimeout(() => crawl(url), i);
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify({ open, thrownOut }));
}
