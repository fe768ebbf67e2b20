// `npm run fuzz:server [-- count [seed]]`: a million hostile requests to the lease server, one in fifty over a socket.
// Prints the request, and the seed, when a response is not what it must be.
import { build } from '../../../scripts/build.ts';

const [count = '1000000', given] = process.argv.slice(2);
const requests = Number(count);
if (!Number.isInteger(requests) || requests < 1)
  throw new RangeError(`count must be a whole number from 1, got ${count}`);
const seed = given === undefined ? Date.now() >>> 0 : Number(given);
if (!Number.isInteger(seed)) throw new RangeError(`seed must be a whole number, got ${given}`);

await build();
const { runCampaign } = await import('./campaign.ts');
const { MARKER } = await import('./generate.ts');
const { watchHandles } = await import('./handles.ts');

console.log(`${requests.toLocaleString('en')} requests, seed ${seed}`);
const handlesLeft = watchHandles();
const started = performance.now();
const { counts, notSendable, logLines } = await runCampaign({
  seed,
  requests,
  onSockets: Math.floor(requests / 50),
  progress(done) {
    if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor((100 * done) / requests)} %`);
  },
}).catch((error: Error) => {
  console.error(`\nseed ${seed}: ${error.message}`);
  process.exit(1);
});
if (process.stderr.isTTY) process.stderr.write('\r     \r');
for (const [kind, number] of [...counts].sort(([, a], [, b]) => b - a)) {
  console.log(
    `${number.toLocaleString('en').padStart(10)}  ${kind === '0' ? 'no response, to half a request' : kind}`,
  );
}
const log = JSON.stringify(logLines);
const leftOpen = await handlesLeft();
const faults = [
  ...(log.includes('a request has failed') ? ['the server has logged failures'] : []),
  ...(log.includes(MARKER) ? ['the log repeats what was sent'] : []),
  ...(leftOpen > 0 ? [`${leftOpen} handles are left open`] : []),
];
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `${seconds} s, ${notSendable.toLocaleString('en')} of no use to an app, ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`,
);
console.log(faults.length === 0 ? 'no failure, nothing repeated, no lease changed' : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
