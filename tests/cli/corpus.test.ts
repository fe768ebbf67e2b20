// The command and the library say the same of one corpus, in text and in JSON.
import {
  conversationIdToString,
  decodeConversationIdFull,
  decodeDeviceId,
  decodeWorkspaceId,
  encodeClientId,
  encodeConversationId,
  encodePylonId,
  encodeWorkspaceId,
  isClientId,
  isConversationId,
  isPylonId,
  isWorkspaceId,
} from 'kazahana/estelle';
import { createExternalIdCodec, type ExternalIdOptions } from 'kazahana/external';
import { FORMATS, inspectId, type Reading } from 'kazahana/inspect';
import { ValidationErrorCode, validateUuid } from 'kazahana/uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpus, everything, SECRET } from './corpus.ts';
import { createSandbox, FIXED_CLOCK, FIXED_NOW, kazahana, type RunOptions, type Sandbox } from './sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.dispose());

const run = async (args: readonly string[], options: RunOptions = {}) => kazahana(sandbox, args, options);
/** A JSON object a line. */
const objects = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const asJson = (value: unknown) =>
  JSON.parse(JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? String(part) : part)));

describe('inspect', () => {
  const settings: [title: string, args: string[], environment: Record<string, string>, options: object][] = [
    ['as it is', [], {}, {}],
    ['with a secret', [], { KAZAHANA_EXTERNAL_SECRET: SECRET }, { externalId: { secret: SECRET } }],
    [
      'of another layout',
      ['--bits', '1,41,10,12'],
      {},
      { layout: { bitReserve: 1, bitTs: 41, bitId: 10, bitSeq: 12 } },
    ],
    ['as one format', ['--as', 'twitter'], {}, { as: 'twitter-snowflake' }],
  ];
  for (const [title, args, environment, options] of settings) {
    const read = (text: string): Reading[] => {
      const { readings } = inspectId(text, { now: FIXED_NOW, ...options });
      // A layout that is named comes first.
      const isNamed = ({ format }: Reading) => args.includes('--bits') && format === 'kazahana-id';
      return [...readings.filter(isNamed), ...readings.filter((one) => !isNamed(one))];
    };

    it(`${title}, in JSON`, async () => {
      const { code, stdout, stderr } = await run(['inspect', '--json', ...args, '--', ...everything], {
        environment: { ...FIXED_CLOCK, ...environment },
      });
      expect([code, stderr]).toEqual([1, '']);
      const said = objects(stdout);
      expect(said.map(({ input }) => input)).toEqual(everything);
      for (const { input, readings, error } of said) {
        const expected = read(String(input));
        expect([input, readings === undefined]).toEqual([input, expected.length === 0]);
        if (expected.length === 0) expect(error).toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/) });
        else expect(asJson(expected.map(comparable))).toEqual((readings as Reading[]).map(comparable));
      }
    });

    it(`${title}, in text`, async () => {
      const good = everything.filter((text) => read(text).length > 0);
      const { code, stdout, stderr } = await run(['inspect', ...args, '--', ...good], {
        environment: { ...FIXED_CLOCK, ...environment },
      });
      expect([code, stderr]).toEqual([0, '']);
      const pictures = stdout.split(/\n\n(?=\S)/);
      expect(pictures).toHaveLength(good.length);
      for (const [i, text] of good.entries()) {
        const [reading] = read(text);
        if (reading) checkPicture(pictures[i] ?? '', reading);
      }
    });
  }

  /** What both say in the same form. */
  const comparable = ({
    format,
    title,
    certainty,
    sentence,
    text,
    bits,
    value,
    fallback,
    fields,
  }: Reading) => ({
    ...{ format, title, certainty, sentence, text, bits, value, fallback },
    fields: fields.map(({ name, role, offset, bits: width, value: part }) => ({
      name,
      role,
      offset,
      width,
      part,
    })),
  });

  function checkPicture(picture: string, reading: Reading): void {
    const { text, sentence, bits, value, fields, time, fallback } = reading;
    const rows = picture.split('\n');
    expect(rows[0]).toBe(text);
    expect(picture.replaceAll(/\s+/g, ' ')).toContain(` ${sentence} `);
    const drawn = rows.filter((row) => /^ {2} *[01]{1,4}(?: [01]{4})*$/.test(row)).join('');
    if (bits > 0) expect(BigInt(`0b${drawn.replaceAll(' ', '')}`)).toBe(value);
    for (const field of fields) {
      const row = rows.find((line) => /^ {2}[A-Z] /.test(line) && line.slice(4).startsWith(`${field.name} `));
      expect(row).toContain(` ${field.bits} bit`);
      expect(row).toContain(` ${field.value}`);
      if (!field.inRange) expect(row).toContain('not allowed');
    }
    if (time) expect(picture).toContain(`\n  UTC      ${time.iso}\n`);
    expect(/\n {2}fenced .*\n {2}random /.test(picture)).toBe(fallback);
  }

  it('of a stream, one line for each', async () => {
    const good = everything.filter((text) => inspectId(text, { now: FIXED_NOW }).readings.length > 0);
    const options = { input: good.join('\n'), environment: FIXED_CLOCK };
    const lines = (await run(['inspect', '-'], options)).stdout.trimEnd().split('\n');
    const said = objects((await run(['inspect', '--json'], options)).stdout);
    const short = (await run(['inspect', '--short', '--', ...good], options)).stdout.trimEnd().split('\n');
    for (const [i, text] of good.entries()) {
      const [best] = inspectId(text, { now: FIXED_NOW }).readings;
      expect(lines[i]?.startsWith(`${best?.text}  ${best?.title}`)).toBe(true);
      expect(said[i]).toMatchObject({
        input: text,
        readings: [{ format: best?.format, value: String(best?.value) }],
      });
    }
    expect(lines).toHaveLength(good.length);
    expect(short).toEqual(lines);
  });

  it('of two IDs also how they stand to each other', async () => {
    const pair = ['01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', '01941f29-7fe8-7aaa-aaaa-aaaaaaaaaaaa'];
    const { stdout } = await run(['inspect', ...pair]);
    expect(stdout).toMatch(
      /\n\n {2}both {5}UUID v7\n {2}between {2}1 second; the second is the later one\n {2}bits {5}\d+ of 128 differ; the first \d+ are equal\n {2}maker .*\n$/,
    );
  });

  it('knows the formats by name', async () => {
    const { stdout } = await run(['inspect', '--formats', '--json']);
    expect(objects(stdout)).toEqual(FORMATS.map(({ name, title, family }) => ({ name, title, family })));
  });
});

describe('validate', () => {
  const texts = everything;

  it('the corpus has every code of the seed', () => {
    const codes = new Set(texts.flatMap((text) => validateUuid(text).errors.map(({ code }) => code)));
    expect([...codes].sort()).toEqual(Object.values(ValidationErrorCode).sort());
  });

  it('in JSON', async () => {
    const { code, stdout } = await run(['validate', '--json', '--', ...texts]);
    expect(code).toBe(1);
    expect(objects(stdout)).toEqual(texts.map((text) => ({ input: text, ...asJson(validateUuid(text)) })));
  });

  it('in text, with a caret under the character', async () => {
    // Longer ones are not shown in full.
    const short = corpus.uuids.filter((text) => text.length < 60);
    const { stdout } = await run(['validate', '--', ...short]);
    // What is said wraps between words.
    const said = stdout.replaceAll(/\n {9}(?! *\^)(?![A-Z_]+:)/g, ' ');
    const columns = (text: string) => [...text].reduce((sum, one) => sum + (one > '\u2e80' ? 2 : 1), 0);
    const expected = short.flatMap((text) => {
      const { isValid, normalized, version, errors } = validateUuid(text);
      if (isValid) return [`valid    ${normalized}  ${version}`];
      return errors.flatMap(({ code, message, position }) => [
        `invalid  ${text}`.trimEnd(),
        ...(position === undefined ? [] : [`${' '.repeat(9 + columns(text.slice(0, position)))}^`]),
        `         ${code}: ${message}`,
      ]);
    });
    expect(said.trimEnd().split('\n')).toEqual(expected);
  });
});

describe('external', () => {
  const ways: [
    title: string,
    args: string[],
    environment: Record<string, string>,
    options: ExternalIdOptions,
  ][] = [
    ['mixed', [], {}, {}],
    ['as they are', ['--algorithm', 'none'], {}, { algorithm: 'none' }],
    ['with a secret', [], { KAZAHANA_EXTERNAL_SECRET: SECRET }, { secret: SECRET }],
    [
      'mixed, whatever secret there is',
      ['--algorithm', 'mix'],
      { KAZAHANA_EXTERNAL_SECRET: SECRET },
      { algorithm: 'mix' },
    ],
  ];
  for (const [title, args, environment, options] of ways) {
    const { toExternalId, toInternalId } = createExternalIdCodec(options);
    const numbers = corpus.numbers.filter((text) => /^\d+$/.test(text) && BigInt(text) < 2n ** 64n);
    const isPublic = (text: string) => {
      try {
        return toInternalId(text) >= 0n;
      } catch {
        return false;
      }
    };

    it(`${title}, in text`, async () => {
      const encoded = await run(['external', 'encode', ...args, ...numbers], { environment });
      expect(encoded.stdout.trimEnd().split('\n')).toEqual(numbers.map((text) => toExternalId(BigInt(text))));
      const decoded = await run(['external', 'decode', ...args, '-'], { environment, input: encoded.stdout });
      expect(decoded.stdout.trimEnd().split('\n')).toEqual(numbers);
    });

    it(`${title}, in JSON`, async () => {
      const encoded = await run(['external', 'encode', '--json', ...args, '--', ...corpus.numbers], {
        environment,
      });
      expect(encoded.code).toBe(1);
      const isId = (text: string) => /^(?:\d+|0x[0-9a-f]+)$/.test(text) && BigInt(text) < 2n ** 64n;
      expect(objects(encoded.stdout)).toEqual(
        corpus.numbers.map((text) =>
          isId(text)
            ? { id: String(BigInt(text)), external: toExternalId(BigInt(text)) }
            : { input: text, error: { code: 'OUT_OF_RANGE', message: expect.any(String) } },
        ),
      );
      const decoded = await run(['external', 'decode', '--json', ...args, '--', ...corpus.externalIds], {
        environment,
      });
      expect(decoded.code).toBe(1);
      expect(objects(decoded.stdout)).toEqual(
        corpus.externalIds.map((text) =>
          isPublic(text)
            ? { id: String(toInternalId(text)), external: text }
            : { input: text, error: { code: 'EXTERNAL_ID_FORMAT', message: expect.any(String) } },
        ),
      );
    });
  }
});

describe('estelle', () => {
  /** What the library says of an ID, at the widest level that it can be. */
  function expected(text: string): Record<string, unknown> | undefined {
    const id = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (isConversationId(id))
      return { level: 'conversation', id, ...decodeConversationIdFull(id), text: conversationIdToString(id) };
    if (isWorkspaceId(id)) {
      const { pylonId, workspaceIndex } = decodeWorkspaceId(id);
      return { level: 'workspace', id, ...decodeDeviceId(pylonId), workspaceIndex, pylonId };
    }
    return isPylonId(id) || isClientId(id) ? { level: 'device', id, ...decodeDeviceId(id) } : undefined;
  }

  it('every level is in the corpus', () => {
    const levels = new Set(corpus.estelle.map((text) => expected(text)?.level));
    expect(levels).toEqual(new Set(['device', 'workspace', 'conversation', undefined]));
  });

  for (const verb of ['decode', 'tree']) {
    it(`${verb}, in JSON`, async () => {
      const { code, stdout } = await run(['estelle', verb, '--json', '--', ...corpus.estelle]);
      expect(code).toBe(1);
      expect(objects(stdout)).toEqual(
        corpus.estelle.map(
          (text) =>
            expected(text) ?? { input: text, error: { code: 'OUT_OF_RANGE', message: expect.any(String) } },
        ),
      );
    });
  }

  it('in text', async () => {
    const good = corpus.estelle.filter((text) => expected(text));
    const decoded = (await run(['estelle', 'decode', ...good])).stdout.trimEnd().split('\n');
    const trees = (await run(['estelle', 'tree', ...good])).stdout.trimEnd().split(/\n(?=environment)/);
    for (const [i, text] of good.entries()) {
      const facts = Object.entries(expected(text) ?? {});
      expect(decoded[i]).toBe(facts.map(([name, value]) => `${name}=${value}`).join(' '));
      for (const [, value] of facts.filter(([name]) => /Index|^id$/.test(name)))
        expect(trees[i]).toMatch(new RegExp(`\\b${value}\\b`));
    }
  });

  it('encode', async () => {
    const workspaceId = encodeWorkspaceId(encodePylonId(2, 3), 5);
    const rows: [levels: string, id: number][] = [
      ['2 pylon 3', encodePylonId(2, 3)],
      ['0 client 15', encodeClientId(0, 15)],
      ['2 pylon 3 5', workspaceId],
      ['2 pylon 3 5 1023', encodeConversationId(workspaceId, 1023)],
    ];
    for (const [levels, id] of rows) {
      const words = levels.split(' ');
      expect((await run(['estelle', 'encode', ...words])).stdout).toBe(`${id}\n`);
      const [said] = objects((await run(['estelle', 'encode', '--json', ...words])).stdout);
      expect(said).toMatchObject({ id, level: ['device', 'workspace', 'conversation'][words.length - 3] });
    }
  });
});
