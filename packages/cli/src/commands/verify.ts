// `kazahana verify`: a stream or file of IDs, one a line: duplicates, order, fallback and future IDs. In bounded memory:
// keys are sorted on disk, and a second look at the lines makes suspicion certain.
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveIdLayoutBits } from '../id-bits.js';
import { type LayoutFlags, layoutOf } from '../layout-flags.js';
import { EXIT, readLines, type Terminal, UsageError } from '../terminal.js';
import { RepeatedKeys } from '../verify-keys.js';

export interface VerifyFlags extends LayoutFlags {
  readonly json?: boolean;
  readonly unordered?: boolean;
}

/** So many findings are shown; all are counted. */
const SHOWN = 10;
/** More repeated keys than this are no longer looked at one by one. */
const MAX_SUSPECTS = 100_000;
const PROGRESS_LINES = 200_000;

interface Findings {
  lines: number;
  ids: number;
  invalid: number;
  duplicates: number;
  orderBreaks: number;
  fallback: number;
  future: number;
  readonly examples: string[];
}

const isUuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An ID as one integer; undefined when the line is none. */
function integerOf(line: string): bigint | undefined {
  if (line.length <= 20) {
    if (!/^[0-9]+$/.test(line)) return undefined;
    const value = BigInt(line);
    return value < 2n ** 64n ? value : undefined;
  }
  return isUuidText.test(line) ? BigInt(`0x${line.replaceAll('-', '')}`) : undefined;
}

/** 64 bits of any value: of a UUID the two halves are mixed, so that equal keys are suspects and nothing more. */
function keyOf(value: bigint): bigint {
  if (value < 2n ** 64n) return value;
  const mixed = (value >> 64n) * 0x9e3779b97f4a7c15n;
  return BigInt.asUintN(64, mixed ^ value);
}

async function firstPass(
  path: string,
  spool: ((line: string) => Promise<void>) | undefined,
  findings: Findings,
  keys: RepeatedKeys,
  { unordered }: VerifyFlags,
  bits: ReturnType<typeof resolveIdLayoutBits>,
  progress: (lines: number) => void,
): Promise<void> {
  let now = Date.now();
  let last: bigint | undefined;
  for await (const line of readLines(path)) {
    findings.lines++;
    if (findings.lines % PROGRESS_LINES === 0) progress(findings.lines);
    if (spool) await spool(line);
    if (line === '') continue;
    const value = integerOf(line);
    if (value === undefined) {
      findings.invalid++;
      note(findings, `line ${findings.lines}: not an ID: ${line.slice(0, 60)}`);
      continue;
    }
    findings.ids++;
    keys.add(keyOf(value));
    if (!unordered && last !== undefined && value < last) {
      findings.orderBreaks++;
      note(findings, `line ${findings.lines}: ${line} is below the one before it`);
    }
    last = value;
    if (line.length <= 20) {
      const unixMs = bits.unixMsOf(value);
      if (bits.isFallback(value)) findings.fallback++;
      // The stream may be as young as its IDs.
      if (unixMs > now) now = Date.now();
      if (unixMs > now) {
        findings.future++;
        note(findings, `line ${findings.lines}: ${line} is of the future: ${new Date(unixMs).toISOString()}`);
      }
    }
  }
}

/** The lines whose keys are repeated, compared as they are. */
async function secondPass(path: string, suspects: ReadonlySet<bigint>, findings: Findings): Promise<void> {
  const firstLine = new Map<bigint, number>();
  let number = 0;
  for await (const line of readLines(path)) {
    number++;
    const value = integerOf(line);
    if (value === undefined || !suspects.has(keyOf(value))) continue;
    const earlier = firstLine.get(value);
    if (earlier === undefined) firstLine.set(value, number);
    else {
      findings.duplicates++;
      note(findings, `line ${number}: ${line} stands on line ${earlier} already`);
    }
  }
}

function note(findings: Findings, text: string): void {
  if (findings.examples.length < SHOWN) findings.examples.push(text);
}

/** A bar on stderr, where there is somebody to see it. */
function progressBar(path: string): { show: (lines: number) => void; end: () => void } {
  const show = (lines: number) =>
    process.stderr.write(`\r${path === '-' ? '' : `${path}: `}${lines.toLocaleString('en')} lines `);
  if (!process.stderr.isTTY) return { show: () => {}, end: () => {} };
  return { show, end: () => process.stderr.write('\r\u001b[K') };
}

export async function verify(path: string, flags: VerifyFlags, terminal: Terminal): Promise<number> {
  if (path !== '-' && !statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`there is no file ${path}`);
  }
  const findings: Findings = {
    lines: 0,
    ids: 0,
    invalid: 0,
    duplicates: 0,
    orderBreaks: 0,
    fallback: 0,
    future: 0,
    examples: [],
  };
  const keys = new RepeatedKeys();
  // What comes through a pipe cannot be read twice, so it is kept until the end.
  const folder = path === '-' ? mkdtempSync(join(tmpdir(), 'kazahana-verify-')) : undefined;
  const copy = folder === undefined ? path : join(folder, 'input');
  const spool = folder === undefined ? undefined : spoolTo(copy);
  const bar = progressBar(path);
  try {
    const bits = resolveIdLayoutBits(layoutOf(flags));
    await firstPass(path, spool?.write, findings, keys, flags, bits, bar.show);
    await spool?.end();
    const suspects = keys.find(MAX_SUSPECTS);
    if (suspects.size > 0) await secondPass(copy, suspects, findings);
  } finally {
    bar.end();
    keys.dispose();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  return report(findings, flags, terminal);
}

function spoolTo(path: string): { write: (line: string) => Promise<void>; end: () => Promise<void> } {
  const file = createWriteStream(path);
  return {
    async write(line) {
      if (!file.write(`${line}\n`)) await once(file, 'drain');
    },
    end: () => new Promise((resolve) => file.end(() => resolve())),
  };
}

async function report(
  findings: Findings,
  { json, unordered }: VerifyFlags,
  terminal: Terminal,
): Promise<number> {
  const { ids, invalid, duplicates, orderBreaks, fallback, future, examples } = findings;
  const isFine = invalid + duplicates + orderBreaks + future === 0;
  if (json) {
    const { lines: _lines, ...rest } = findings;
    await terminal.json({ ...rest, isFine });
    return isFine ? EXIT.fine : EXIT.invalid;
  }
  const row = (name: string, count: number, isBad: boolean) =>
    `${name.padEnd(14)} ${terminal.paint(isBad && count > 0 ? 'red' : 'reset', count.toLocaleString('en'))}`;
  await terminal.line(
    [
      row('IDs', ids, false),
      row('not an ID', invalid, true),
      row('duplicates', duplicates, true),
      ...(unordered ? [] : [row('order breaks', orderBreaks, true)]),
      row('of the future', future, true),
      row('fallback', fallback, false),
      ...(examples.length > 0 ? ['', ...examples] : []),
    ].join('\n'),
  );
  return isFine ? EXIT.fine : EXIT.invalid;
}
