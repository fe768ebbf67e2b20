// Names and data are any text: nothing in them may end a key, be read as a pattern, or be taken for another.
import { check, equal } from '../conformance/checks.js';
import { type DriverCase, type DriverTrial, firstWrite, GENERATION, LONG, POOL } from './subject.js';

/** Names of up to 200 characters, of which no two are equal. */
export const NAMES: readonly string[] = [
  // What separates, quotes, escapes and matches in keys, queries and patterns.
  ...[
    'a',
    'a/',
    'a/b',
    '/',
    '//',
    '..',
    '{a}',
    '{',
    '}',
    '[a]',
    '*',
    '?',
    '%',
    '_',
    '%00',
    ':',
    '::',
    '|',
    ',',
  ],
  ...['"', "'", '`', '\\', '\\0', '\\x', '$1', '$a', '#', ';--', "' or ''='", '<a>', '&amp;', '+', '='],
  // White space and control characters.
  ...[
    ' ',
    'a ',
    ' a',
    '\t',
    '\n',
    'a\n',
    '\r\n',
    '\u0001',
    '\u001b[2J',
    '\u007f',
    '\u0080',
    '\u00a0',
    '\u2028',
  ],
  // Zeros, and halves of characters: not every store's text can hold them.
  ...[
    '\0',
    'a\0',
    '\0a',
    'a\0b',
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '\udc00\ud800',
    'a\ud83c',
    '\ufffd',
  ],
  // Texts that look alike to some collation, or to a reader.
  ...[
    'A',
    'á',
    'a\u0301',
    'ß',
    'ss',
    'ﬁ',
    'fi',
    'İ',
    'i',
    'ı',
    '\u200b',
    '\ufeff',
    '\uffff',
    '🎆',
    '🎇',
    '👨‍👩‍👧',
  ],
  // Texts that are something else to some languages.
  ...['null', 'undefined', 'NaN', 'true', '0', '00', '-1', '1e3', '__proto__', 'constructor', 'toString'],
  // As long as a name may be.
  ...[
    'x'.repeat(199),
    'x'.repeat(200),
    `${'x'.repeat(199)}y`,
    '🎆'.repeat(100),
    '\ud800'.repeat(200),
    '\0'.repeat(200),
  ],
];

const show = (name: string) =>
  name.length > 20 ? `a name of ${name.length} characters` : JSON.stringify(name);

/** Writes the same texts as the record of a pool and as the data of a slot, and reads them back. */
async function keeps(trial: DriverTrial, what: string, data: string): Promise<void> {
  await trial.change({ pool: data });
  await trial.put([{ slot: 0, data }]);
  const facts = await trial.look({ slots: [{ generation: GENERATION, slot: 0 }] });
  check(facts.pool?.data === data, `a record with ${what} must be read back as it was written`);
  check(facts.slots[0]?.data === data, `a slot with ${what} must be read back as it was written`);
}

export const textCases: readonly DriverCase[] = [
  {
    name: 'requests may have any name',
    rule: 'storage',
    async run(trial) {
      const most = Math.min(20, trial.driver.maxSlotsPerWrite);
      const responses = NAMES.map((request, created) => ({ request, created, slots: [] }));
      await trial.create();
      for (let at = 0; at < responses.length; at += most) {
        const some = responses.slice(at, at + most).map((after) => ({ before: null, after }));
        await trial.change({ responses: some });
      }
      const found = (await trial.look({ requests: NAMES })).responses;
      equal('the number of responses', found.length, NAMES.length);
      for (const response of responses) {
        const [same, ...more] = found.filter(({ request }) => request === response.request);
        equal(`the response to ${show(response.request)}`, [same, more.length], [response, 0]);
      }
      for (const { request, created } of responses.slice(0, 50))
        await trial.change({ forget: [{ request, created }] });
      const left = (await trial.look({ requests: NAMES })).responses.map(({ created }) => created);
      equal(
        'the responses when fifty are forgotten',
        left.sort((a, b) => a - b),
        responses.slice(50).map(({ created }) => created),
      );
    },
  },
  {
    name: 'quotas may have any name',
    rule: 'storage',
    async run(trial) {
      const { now } = await trial.look();
      const freeFrom = (index: number) => now + LONG + index;
      await trial.create(
        ...NAMES.map((quota, slot) => firstWrite(slot, { freeFrom: freeFrom(slot), quotas: [quota, 'all'] })),
      );
      const counts = await trial.counts(...NAMES, 'all');
      for (const [index, quota] of NAMES.entries()) {
        equal(`the count of ${show(quota)}`, counts[index], { quota, count: 1, firstEnd: freeFrom(index) });
      }
      equal('the count over all', counts.at(-1)?.count, NAMES.length);
      const slots = await trial.driver.list(POOL, GENERATION, -1, NAMES.length);
      for (const { slot, quotas } of slots) {
        equal('the quotas of a slot', quotas.toSorted(), [NAMES[slot], 'all'].toSorted());
      }
    },
  },
  {
    name: 'pools may have any name',
    rule: 'storage',
    async run(trial) {
      for (const [index, pool] of NAMES.entries()) {
        const slots = [firstWrite(index, { data: `of ${index}` })];
        await trial.change({ pool: `pool ${index}`, grants: index + 1, slots }, { pool });
      }
      for (const [index, pool] of NAMES.entries()) {
        const facts = await trial.look({ slots: [{ generation: GENERATION, slot: index }] }, { pool });
        equal(`the record of ${show(pool)}`, facts.pool?.data, `pool ${index}`);
        equal(`the serial of ${show(pool)}`, facts.serial, index + 1);
        equal(
          `the list of ${show(pool)}`,
          (await trial.driver.list(pool, GENERATION, -1, 10)).map(({ data }) => data),
          [`of ${index}`],
        );
      }
    },
  },
  {
    name: 'data of 100 kB is kept',
    rule: 'storage',
    async run(trial) {
      await keeps(trial, '100 kB', '0123456789'.repeat(10_000));
      await keeps(trial, '100 kB of characters outside ASCII', 'é🎆あ'.repeat(11_000));
    },
  },
  {
    name: 'data is kept whatever its characters are',
    rule: 'storage',
    async run(trial) {
      const controls = Array.from({ length: 0x9f }, (_, index) => String.fromCharCode(index + 1)).join('');
      await keeps(trial, 'nothing', '');
      await keeps(trial, 'JSON', JSON.stringify({ a: ['"', '\\', '\n', null, 1.5, '🎆', '\0', '\ud800'] }));
      await keeps(trial, 'control characters', controls);
      await keeps(trial, 'characters of all planes', 'é あ 🎆 \u2028 \ufeff \uffff \u{10ffff} a\u0301');
      await keeps(trial, 'white space around it', ' \n text \r\n ');
      await keeps(trial, 'a number', '0010.0');
    },
  },
  {
    name: 'data is kept with zeros and halves of characters',
    rule: 'storage',
    async run(trial) {
      await keeps(trial, 'zeros', '\0 a \0\0');
      await keeps(trial, 'halves of characters', '\ud800 a \udc00\ud83c');
    },
  },
];
