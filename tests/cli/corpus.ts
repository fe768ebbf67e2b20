// IDs and texts that are none, for all that reads them: the command must say of each what the library says.
import { minIdAt } from 'kazahana';
import { toExternalId } from 'kazahana/external';

export const SECRET = 'a secret of ours, 風花';

/** A UUID of every version, in every form that is written; and the two that have none. */
const uuids = [
  'c232ab00-9414-11ec-b3c8-9f6bdeced846',
  '000003e8-2363-21ed-b200-325096b39f47',
  '5df41881-3aed-3515-88a7-2f4a814cf09e',
  '919108f7-52d1-4320-9bac-f847db4148a8',
  '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  '1ec9414c-232a-6b00-b3c8-9f6bdeced846',
  '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
  '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0',
  '01941F29-7C00-7AAA-AAAA-AAAAAAAAAAAA',
  '01941f297c007aaaaaaaaaaaaaaaaaaa',
  '{01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa}',
  'urn:uuid:01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
  'URN:UUID:01941f297c007aaaaaaaaaaaaaaaaaaa',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
];

/** Every code of the seed, and texts that have more than one thing wrong. */
const wrongUuids = [
  '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaa',
  '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaaa',
  '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaag',
  '01941f29-7c00-9aaa-aaaa-aaaaaaaaaaaa',
  '01941f29-7c00-0aaa-aaaa-aaaaaaaaaaaa',
  '24688438-40e1-70d0-d97e-084cfc8992c7',
  '24688438-40e1-70d0-197e-084cfc8992c7',
  '01941f297-c00-7aaa-aaaa-aaaaaaaaaaaa',
  '{01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
  '01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa}',
  'urn:uuidd:01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
  '01941f29-7c00-9aaa-daaa-aaaaaaaaaaaa',
  '01941f29-7c00-7aaa-aaaa-aaaaaaaa風花',
  'x'.repeat(100),
  ' 01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa',
  ' ',
];

const LEASED = minIdAt(Date.UTC(2026, 10, 14, 8, 30)) + 5n * 256n + 7n;
const FALLBACK = LEASED + (8192n << 8n);

const numbers: readonly bigint[] = [
  0n,
  1n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
  LEASED,
  FALLBACK,
  // Twitter; Discord, as in its documents; Instagram, as in the article that describes its IDs.
  1212092628029698048n,
  175928847299117063n,
  11637205501278089n,
];

/** A pylon, a client, a workspace, a conversation; and numbers of their sizes that are none. */
const estelle = [67, 23, 3, 8581, 8786953, 0, 99, 64, 16_777_215, 16_777_216];

const externalIds = [
  toExternalId(LEASED),
  toExternalId(LEASED, { secret: SECRET }),
  'ASNFZ4mrze8',
  'AAAAAAAAAAA',
  '__________8',
  // Spare bits that are not zero, a character too few, too many, a wrong one.
  'ASNFZ4mrze9',
  'ASNFZ4mrze',
  'ASNFZ4mrze88',
  'ASNFZ4mrz!8',
];

export const corpus = {
  uuids: [...uuids, ...wrongUuids],
  numbers: [
    ...numbers.map(String),
    ...['0x1989501ab0000507', '18446744073709551616', '-1', '1.5', '1e5', '0x', 'nonsense'],
  ],
  estelle: [...estelle.map(String), '-1', '67.5', '99999999999999999999', 'pylon'],
  externalIds,
} as const;

/** Texts for what reads any ID. */
export const everything: readonly string[] = [...new Set(Object.values(corpus).flat())];
