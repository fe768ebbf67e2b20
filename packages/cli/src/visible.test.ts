import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted, visible, visibleJson, visibleLines } from './visible.js';

/** What a terminal may obey, or what hides; by code points, written out apart from the code under test. */
const RAW = [
  ...Array.from({ length: 0x20 }, (_, i) => i),
  ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i),
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f],
  ...[0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2061, 0x2064, 0x2066, 0x2069, 0x206f],
  ...[0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xd800, 0xdfff, 0x1d173, 0xe0001, 0xe0041, 0xe0100],
].map((code) => String.fromCodePoint(code));

const rawIn = (text: string) => [...text].filter((character) => RAW.includes(character));

const hostile = fc.string({
  unit: fc.oneof(fc.constantFrom(...RAW), fc.string({ unit: 'binary', maxLength: 1 })),
});

describe('text of others', () => {
  it.each([
    ['a\u001b[31mb\r\n\tc', 'a\\u001b[31mb\\r\\n\\tc'],
    ['\u009b2J\u007f\u202e\u200b', '\\u009b2J\\u007f\\u202e\\u200b'],
    ['\ud800e\u{e0041}', '\\ud800e\\u{e0041}'],
    ['風花 é e\u0301 한글 עברית 🎉', '風花 é e\u0301 한글 עברית 🎉'],
    [`a${'\u0301'.repeat(10)}`, `a${'\u0301'.repeat(8)}\\u0301\\u0301`],
  ])('is shown with what cannot be seen written out: %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('steers and hides nothing, whatever it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(rawIn(visible(text))).toEqual([]);
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });

  it('keeps our own ends of lines where we say so', () => {
    expect(visibleLines("unknown option '\u001b[2J'\n(Did you mean --json?)\n")).toBe(
      "unknown option '\\u001b[2J'\n(Did you mean --json?)\n",
    );
  });

  it('in JSON is the same to a parser, and as safe', () => {
    fc.assert(
      fc.property(fc.record({ text: hostile, list: fc.array(hostile) }), (value) => {
        const json = visibleJson(value);
        expect(JSON.parse(json)).toEqual(value);
        expect(rawIn(json)).toEqual([]);
      }),
    );
    expect(visibleJson({ id: 2n ** 64n - 1n })).toBe('{"id":"18446744073709551615"}');
  });

  it('in an error is not longer than it must be', () => {
    expect(quoted('a\u001b')).toBe('"a\\u001b"');
    expect(quoted('x'.repeat(1000))).toBe(`"${'x'.repeat(60)}…"`);
  });
});
