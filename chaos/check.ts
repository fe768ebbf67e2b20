// The storm's part of `npm test`: a minute on SQLite, without the faults that lose what the store acknowledged, since the
// fleet would need as long again to come back. Everything must be built. The exit code tells.
import { reportSkipped } from '../tests/skipped.ts';
import { describeStorm } from './storm/report.ts';
import { storm } from './storm/storm.ts';

const LENGTH_MS = 45_000;
/** So that a pause beyond both fits in several times. */
const SERVICE = { leaseDuration: 2000, fallbackGrace: 2000 };
const FAULTS = [
  ...['kill-client', 'pause-client', 'kill-in-acquire', 'step-clock', 'drift-clock'],
  ...['kill-server', 'pause-server', 'rolling-restart', 'locked-file', 'change-layout', 'crash-loop'],
  ...['proxy-delay', 'proxy-cut', 'proxy-half-open', 'proxy-repeat', 'proxy-swap'],
];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** The same faults each time, so that a failure is the change's; `npm run chaos` takes other seeds. */
const seed = Number(process.argv[2] ?? 1);
const options = { setUp: 'sqlite', lengthMs: LENGTH_MS, faults: FAULTS, service: SERVICE, seed } as const;
const report = await storm({ ...options, say: () => {} });
console.log(describeStorm(report));
const skipped = Object.entries(report.skipped).map(([name, missing]) => ({
  ...{ name: `chaos: ${name}`, missing, install: 'install faketime (Debian package: faketime)' },
}));
process.exit(reportSkipped(skipped) && report.isFine ? 0 : 1);
