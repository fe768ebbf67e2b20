import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOME, type Part, readAddress, routeOf, SECTIONS, writeAddress } from './address.js';

const V7 = '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa';
const parts: readonly Part[] = Object.values(SECTIONS).flat();

describe('an address', () => {
  it('comes back as it was written, whatever the subject is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...parts),
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        (part, subject) => {
          const address = { part, subject: part === 'id' ? subject : '', values: {} };
          expect(readAddress(writeAddress(address))).toEqual(address);
        },
      ),
    );
  });

  it('is short and can be read', () => {
    expect(writeAddress(HOME)).toBe('#/');
    expect(writeAddress({ part: 'id', subject: V7, values: {} })).toBe(`#/id/${V7}`);
    expect(writeAddress({ part: '64-bit/external', subject: '', values: { id: '7' } })).toBe(
      '#/64-bit/external?id=7',
    );
  });

  it('never carries what its part does not list', () => {
    const written = writeAddress({ part: 'pool', subject: '', values: { token: 'x', whois: '7' } });
    expect(written).toBe('#/pool?whois=7');
    expect(readAddress('#/64-bit/external?id=7&secret=x').values).toEqual({ id: '7' });
  });

  it('of a route is its first section; of nothing known it is home', () => {
    expect(readAddress('#/many').part).toBe('many/generate');
    expect(readAddress('#/64-bit').part).toBe('64-bit/layout');
    for (const text of ['', '#', '#/', '#x', '#/x', '#/id', '#/constructor', '#?', '#/many/x'])
      expect(readAddress(text)).toEqual(HOME);
  });

  it('is read without an error, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(Object.values(SECTIONS).flat()).toContain(readAddress(`#${text}`).part);
        expect(writeAddress({ part: 'id', subject: text, values: {} })).toMatch(/^#\//);
      }),
    );
    expect(writeAddress({ part: 'id', subject: '\ud800', values: {} })).toBe('#/id/%EF%BF%BD');
    expect(readAddress('#/id/%E0%A4%A').subject).toBe('%E0%A4%A');
    expect(readAddress(`#/id/${'x'.repeat(5000)}`).subject.length).toBe(2000);
  });
});

describe('a link of an earlier version', () => {
  it.each([
    ['#generate', 'id', '', {}],
    ['#generate?kind=v4&count=1', 'id', '', { kind: 'v4' }],
    ['#generate?kind=v4&count=50', 'many/generate', '', { kind: 'v4', count: '50' }],
    [`#inspect?id=${V7}&as=uuid`, 'id', V7, { as: 'uuid' }],
    ['#inspect', 'id', '', {}],
    ['#bits', 'id', '', {}],
    ['#batch', 'many/log', '', {}],
    ['#public?id=7&algorithm=none', '64-bit/external', '', { id: '7', algorithm: 'none' }],
    ['#hierarchy?id=8786953', '64-bit/estelle', '', { id: '8786953' }],
    ['#layout?epoch=1&ts=41', '64-bit/layout', '', { epoch: '1', ts: '41' }],
    ['#pool', 'pool', '', {}],
    ['#history', 'many/history', '', {}],
  ])('%s leads to %s', (fragment, part, subject, values) => {
    expect(readAddress(fragment)).toEqual({ part, subject, values });
  });
});

it('a part is in the route that its name begins with', () => {
  expect(parts.map(routeOf)).toEqual(['id', 'many', 'many', 'many', '64-bit', '64-bit', '64-bit', 'pool']);
});
