// What the fields of an ID hold, and its other forms, where the source of an example tells them, too. The sources are those of
// the same texts in the corpus; each value is copied from there.
import { describe, expect, it } from 'vitest';
import { CORPUS, CORPUS_NOW } from './corpus.js';
import { type FormatName, inspectId, type Reading } from './index.js';

interface Told {
  /** Values of fields, as numbers. */
  readonly fields?: Readonly<Record<string, number | bigint>>;
  /** How fields read. */
  readonly readings?: Readonly<Record<string, string>>;
  readonly segments?: Readonly<Record<string, string>>;
  readonly forms?: Readonly<Record<string, string>>;
}

const RFC_V1 = { fields: { clockSeq: 0x33c8 }, readings: { node: '9f:6b:de:ce:d8:46' } };
const uuid = (text: string): Told => ({ forms: { uuid: text } });

// biome-ignore format: a table, one text a row
const TOLD: readonly (readonly [FormatName, text: string, told: Told])[] = [
  ['uuid-v1', 'C232AB00-9414-11EC-B3C8-9F6BDECED846', RFC_V1],
  ['uuid-v2', '000001f5-5e9a-21ea-9e00-0242ac130003', { fields: { localId: 501 }, readings: { localDomain: 'person', node: '02:42:ac:13:00:03' } }],
  ['uuid-v3', '5df41881-3aed-3515-88a7-2f4a814cf09e', { fields: { md5High: 0x5df418813aed, md5Mid: 0x515, md5Low: 0x8a72f4a814cf09en } }],
  ['uuid-v4', '919108f7-52d1-4320-9bac-f847db4148a8', { fields: { randomA: 0x919108f752d1, randomB: 0x320, randomC: 0x1bacf847db4148a8n } }],
  ['uuid-v5', '2ed6657d-e927-568b-95e1-2665a8aea6a2', { fields: { sha1High: 0x2ed6657de927, sha1Mid: 0x68b, sha1Low: 0x15e12665a8aea6a2n } }],
  ['uuid-v6', '1EC9414C-232A-6B00-B3C8-9F6BDECED846', RFC_V1],
  ['uuid-v7', '017F22E2-79B0-7CC3-98C4-DC0C0C07398F', { fields: { unixMs: 1645557742000, randA: 0xcc3, randB: 0x18c4dc0c0c07398fn } }],
  ['uuid-base64url', 'yaZG05xhTLe_ze4lIsj2Mw', uuid('c9a646d3-9c61-4cb7-bfcd-ee2522c8f633')],
  ['uuid-base58', 'mhvXdrZT4jP5T8vBxuvm75', uuid('a44521d0-0fb8-4ade-8002-3385545c3318')],
  ['uuid25', '8dx554y5rzerz1syhqsvsdw8t', uuid('8da942a4-1fbe-4ca6-852c-95c473229c7d')],
  ['uuid25', 'dpoadk8izg9y4tte7vy1xt94o', uuid('e7a1d63b-7117-4423-8988-afcf12161878')],
  ['uuid25', 'ef1zh7jc64vprqez41vbwe9km', uuid('f38a6b1f-576f-4c22-8d4a-5f72613483f6')],
  ['shortuuid', 'CXc85b4rqinB7s5J52TRYb', uuid('3b1f8b40-222c-4a6e-b77e-779d5a94e21c')],
  ['uuid-csharp', '{0xCA761232, 0xED42, 0x11CE, {0xBA, 0xCD, 0x00, 0xAA, 0x00, 0x57, 0xB2, 0x23}}', uuid('ca761232-ed42-11ce-bacd-00aa0057b223')],
  ['uuid-csharp', '{0xa8a110d5,0xfc49,0x43c5,{0xbf,0x46,0x80,0x2d,0xb8,0xf8,0x43,0xff}}', uuid('a8a110d5-fc49-43c5-bf46-802db8f843ff')],
  ['typeid', 'prefix_01h2xcejqtf2nbrexx3vqjhp41', { ...uuid('0188bac7-4afa-78aa-bc3b-bd1eef28d881'), segments: { prefix: 'prefix_' } }],
  ['typeid', 'prefix_01h455vb4pex5vsknk084sn02q', uuid('01890a5d-ac96-774b-bcce-b302099a8057')],
  ['upid', 'user_2accvpp5guht4dts56je5a', { forms: { hex: '01908dd6a3669b912738191ea3d61576', decimal: '2079795568564925668398930358940603766' }, readings: { prefix: 'user', time: '2024-07-07T15:36:12.288Z' } }],
  ['ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLOv', { fields: { seconds: 107608047, payload: 0xb5a1cd34b5f99d1154fb6853345c9735n }, forms: { hex: '0669f7efb5a1cd34b5f99d1154fb6853345c9735' } }],
  ['ksuid', '0ujzPyRiIAffKhBux4PvQdDqMHY', { fields: { seconds: 107610780, payload: 0x73fc1aa3b2446246d6e89fcd909e8fe8n } }],
  ['xid', '9m4e2mr0ui3e8a215n4g', { fields: { seconds: 1300816219, machine: 0x60f486, process: 0xe428, counter: 4271561 } }],
  ['timeflake', '02i2XhN7hAuaFh3MwztcMd', { fields: { unixMs: 1579275030563, random: 851298578153087956398315n }, forms: { hex: '016fb4209023b444fd07590f81b7b0eb', decimal: '1909226360721144613344160656901255403' } }],
  ['timeflake', '02lSUuPgi2bGXfZde730O2', { forms: { uuid: '01772f27-10f3-091a-ea3f-28e7f6f7296a', decimal: '1948067690345842174618850429941262698' } }],
  ['bluesky-tid', '3l25zusnsfctk', { fields: { unixUs: 1724171495793000, clockId: 816 } }],
  ['bluesky-tid', '3l25zusnsfck2', { fields: { unixUs: 1724171495793000, clockId: 512 } }],
  ['cuid', 'ch72gsb320000udocl363eofy', { segments: { time: 'h72gsb32', counter: '0000', fingerprint: 'udoc', random: 'l363eofy' } }],
  ['puid', 'he5fps6l2504cd1w3ag8ut8e', { segments: { time: 'he5fps6l', machine: '2504cd', process: '1w3a', counter: 'g8ut8e' } }],
  ['boundary-flake', '8HFaR8qWtRlGDHnO57', { forms: { decimal: '24467927614188555520896788267013' } }],
  ['discord-snowflake', '175928847299117063', { fields: { time: 41944705796, worker: 1, process: 0, increment: 7 } }],
  ['sonyflake', '314948827708654619', { fields: { machine: 4 * 256 + 27 }, forms: { hex: '045eec4a4600041b' } }],
  ['frostflake', '7423342004626526207', { fields: { sequence: 1, generator: 2047 }, forms: { base58: 'JERHwh5PXjL' } }],
];

const fieldOf = ({ fields }: Reading, name: string) => fields.find((field) => field.name === name);

describe('what the source says of an example', () => {
  for (const [as, text, told] of TOLD) {
    it(`${as} ${text}`, () => {
      const [reading] = inspectId(text, { now: CORPUS_NOW, as }).readings;
      if (!reading) throw new Error('it is not read');
      for (const [name, value] of Object.entries(told.fields ?? {}))
        expect(BigInt(fieldOf(reading, name)?.value ?? -1), name).toBe(BigInt(value));
      for (const [name, words] of Object.entries(told.readings ?? {}))
        expect(fieldOf(reading, name)?.reading, name).toBe(words);
      for (const [name, part] of Object.entries(told.segments ?? {}))
        expect(reading.segments.find((segment) => segment.name === name)?.text, name).toBe(part);
      for (const [name, form] of Object.entries(told.forms ?? {}))
        expect(reading.forms.find((each) => each.name === name)?.text, name).toBe(form);
    });
  }

  it('is of texts of the corpus, which name it', () => {
    const unknown = TOLD.filter(([, text]) => !CORPUS.some((sample) => sample.text === text));
    expect(unknown.map(([, text]) => text)).toEqual([]);
  });
});
