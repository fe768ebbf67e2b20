// `kazahana verify`: a stream or file of IDs, one a line: duplicates, order, fallback and future IDs. In bounded memory:
// keys are sorted on disk, and a second look at the lines makes suspicion certain.
import { statSync } from 'node:fs';
import { chosenLayout, type LayoutFlags } from '../layout-flags.js';
import { type Progress, showProgress } from '../progress.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { lineChecker } from '../verify/check.js';
import { lineConfirmer } from '../verify/confirm.js';
import { Findings } from '../verify/findings.js';
import { idTimesOf } from '../verify/id-times.js';
import { readLines } from '../verify/lines.js';
import { RepeatedKeys } from '../verify/repeated-keys.js';
import { TemporaryFile } from '../verify/temporary-file.js';

export interface VerifyFlags extends LayoutFlags {
  readonly json?: boolean;
  readonly unordered?: boolean;
}

/** More repeated keys than this are no longer looked at one by one. */
const MAX_SUSPECTS = 100_000;

function sizeOf(path: string): number | undefined {
  if (path === '-') return undefined;
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isFile()) return file.size;
  // A named pipe can be read once only, and `-` is for that.
  throw new UsageError(file ? `${path} is no file; for a pipe say -` : `there is no file ${path}`);
}

/** What is piped in, where no file is named. */
function fromPipe(): '-' {
  if (process.stdin.isTTY) throw new UsageError('no IDs: name a file, or pipe them in, one a line');
  return '-';
}

/** Counts bytes for the bar. */
function follow(progress: Progress, size: number | undefined, lines: () => number) {
  let read = 0;
  return (chunk: Uint8Array) => {
    read += chunk.length;
    progress.at(lines(), size === undefined ? undefined : Math.min(1, read / size));
  };
}

export async function verify(
  file: string | undefined,
  flags: VerifyFlags,
  terminal: Terminal,
): Promise<number> {
  const path = file ?? fromPipe();
  const size = sizeOf(path);
  const times = idTimesOf(chosenLayout(flags));
  const findings = new Findings();
  const keys = new RepeatedKeys();
  // What comes through a pipe cannot be read twice, so it is kept until the end.
  const copy = path === '-' ? new TemporaryFile() : undefined;
  const progress = showProgress('lines');
  try {
    const options = { times, isOrdered: !flags.unordered, now: () => Date.now() };
    const bytesRead = follow(progress, size, () => findings.lines);
    await readLines(path, lineChecker(findings, keys, options), (chunk) => {
      copy?.write(chunk);
      bytesRead(chunk);
    });
    const repeated = keys.find(MAX_SUSPECTS);
    if (repeated.count > 0) await readLines(copy ?? path, lineConfirmer(findings, repeated), () => {});
  } finally {
    progress.end();
    keys.dispose();
    copy?.close();
  }
  await report(findings, flags, terminal);
  return findings.isFine ? EXIT.fine : EXIT.invalid;
}

async function report(findings: Findings, flags: VerifyFlags, terminal: Terminal): Promise<void> {
  const { ids, invalid, duplicates, orderBreaks, fallback, future, examples, isFine } = findings;
  if (flags.json) {
    await terminal.json({ ids, invalid, duplicates, orderBreaks, future, fallback, isFine, examples });
    return;
  }
  const row = (name: string, count: number) => `${name.padEnd(14)} ${count.toLocaleString('en')}`;
  const bad = (name: string, count: number) =>
    count > 0 ? terminal.paint('red', row(name, count)) : row(name, count);
  await terminal.line(
    [
      row('IDs', ids),
      bad('not an ID', invalid),
      bad('duplicates', duplicates),
      ...(flags.unordered ? [] : [bad('order breaks', orderBreaks)]),
      bad('of the future', future),
      row('fallback', fallback),
      ...(examples.length > 0 ? ['', ...examples] : []),
    ].join('\n'),
  );
}
