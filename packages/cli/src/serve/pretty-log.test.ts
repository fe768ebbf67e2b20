import { describe, expect, it } from 'vitest';
import { type Paint, prettyLine } from './pretty-log.js';

const plain: Paint = (_style, text) => text;
const time = new Date(2026, 10, 18, 9, 5, 7).getTime();
const base = { time, pid: 1, hostname: 'web-1' };

describe('a line of the log, for people', () => {
  it.each([
    [{ level: 30, msg: 'stopped' }, '09:05:07  info   stopped'],
    [
      { level: 40, msg: 'lease revoked', pool: 'default', caller: 'ops', id: 5 },
      '09:05:07  warn   lease revoked  pool=default  caller=ops  id=5',
    ],
    [
      { level: 50, msg: 'the store cannot be used; trying again until it can', reason: 'no such file' },
      '09:05:07  error  the store cannot be used; trying again until it can: no such file',
    ],
    [
      { level: 40, msg: 'quarantine', until: Date.UTC(2026, 0, 1), note: 'a b' },
      '09:05:07  warn   quarantine  until=2026-01-01T00:00:00.000Z  note="a b"',
    ],
    [{ level: 50, msg: 'failed', err: { stack: 'at …' } }, '09:05:07  error  failed'],
    [{ level: 20 }, '09:05:07  debug  '],
  ])('%j', (record, line) => {
    expect(prettyLine({ ...base, ...record }, plain)).toBe(line);
  });

  it('has its level in colour, and nothing of others that steers the terminal', () => {
    const painted: Paint = (style, text) => `<${style}>${text}</>`;
    const record = {
      ...base,
      level: 50,
      msg: 'a\u001b[2J',
      caller: 'b\u009b\u202e\n',
      reason: 'c\u0007',
      meta: ['\u200b'],
    };
    expect(prettyLine(record, painted)).toBe(
      '<dim>09:05:07</>  <red>error</>  a\\u001b[2J: c\\u0007  <dim>caller="b\\u009b\\u202e\\n"</>  <dim>meta=["\\u200b"]</>',
    );
  });
});
