// Holds the list of error codes to the code: every class has its code from the list, every code is thrown somewhere, and
// docs/errors.md shows the same list.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as library from 'kazahana';
import { ERROR_CODES, type ErrorCode, isKazahanaError } from 'kazahana';
import * as estelle from 'kazahana/estelle';
import * as layout from 'kazahana/layout';
import * as lease from 'kazahana/lease';
import * as uuid from 'kazahana/uuid';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/run.ts';

// The command's own errors end its process and reach no program.
const sources = globSync(join(root, 'packages/{kazahana,sqlite,redis,postgres,etcd,server}/src/**/*.ts'))
  .filter((path) => !/\.test\.ts$|[\\/]testing[\\/]|error-codes\.ts$/.test(path))
  .map((path) => readFileSync(path, 'utf8'));
const source = sources.join('\n');
const list: [string, readonly [string, string]][] = Object.entries(ERROR_CODES);

/** The codes that the source states, each with the class that it states them for. */
const stated = [
  ...source.split(/^(?=export class |class )/m).flatMap((text) => {
    const name = /class (\w+Error)\b/.exec(text)?.[1];
    const code = /\bcode(?:: \w+)? = '(\w+)'|super\(\s*'([A-Z_]+)'/.exec(text);
    return name && code ? [[code[1] ?? code[2], name]] : [];
  }),
  ...[...source.matchAll(/new (LeaseError|StoreError)\(\s*'([A-Z_]+)'/g)].map(([, name, code]) => [
    code,
    name,
  ]),
];

describe('the list of error codes', () => {
  it('has the code of every class, under the name of the class', () => {
    expect(stated.length).toBeGreaterThan(40);
    for (const [code = '', name] of stated)
      expect([code, ERROR_CODES[code as ErrorCode]?.[0]]).toEqual([code, name]);
  });

  it('has every code that the server refuses with', () => {
    const codes = [...source.matchAll(/new Refusal\(\s*\d+,\s*'([A-Z_]+)'/g)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code = '') => !Object.hasOwn(ERROR_CODES, code))).toEqual([]);
  });

  it('has no code that is thrown nowhere', () => {
    const unused = list.filter(
      ([code, [name]]) => !source.includes(`'${code}'`) || !source.includes(`new ${name}(`),
    );
    expect(unused).toEqual([]);
  });

  it('has the name of every error class that the entry points export', () => {
    const names = new Set(list.map(([, [name]]) => name));
    const exported = [library, uuid, estelle, layout, lease].flatMap((entry) => Object.entries(entry));
    const errors = exported.filter(
      ([, value]) => (value as { prototype?: unknown })?.prototype instanceof Error,
    );
    expect(errors.length).toBeGreaterThan(30);
    expect(errors.map(([name]) => name).filter((name) => !names.has(name))).toEqual([]);
  });

  it('stands in docs/errors.md', () => {
    const page = readFileSync(join(root, 'docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \| `(\w+)` \|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(list.map(([code, [name, cause]]) => [code, cause, name]));
  });
});

describe('isKazahanaError', () => {
  const errors = [
    new library.OutOfRangeError('field', 0, 1, 2),
    new library.StoreError('STORE_BUSY', 'busy'),
    new library.LeaseError('UNREACHABLE', 'away'),
    new library.ClientClosedError(),
    new uuid.UnsupportedUuidVersionError('v9'),
  ];
  for (const error of errors) {
    it(`knows ${error.name}, also of another copy of the library`, () => {
      expect(isKazahanaError(error)).toBe(true);
      const { name, message, code } = error;
      expect(isKazahanaError(Object.assign(new Error(message), { name, code }))).toBe(true);
    });
  }

  const strangers = [
    ['of no code', new Error('other')],
    ['with the code of Node', Object.assign(new Error('no file'), { code: 'ENOENT' })],
    ['with one of our codes by another name', Object.assign(new Error('late'), { code: 'TIMEOUT' })],
    ['with a code that every object has', new library.LeaseError('toString', 'a name')],
    ['that is text', 'OUT_OF_RANGE'],
    ['that is null', null],
    ['that is nothing', undefined],
  ] as const;
  for (const [what, error] of strangers) {
    it(`does not take an error ${what}`, () => expect(isKazahanaError(error)).toBe(false));
  }
});
