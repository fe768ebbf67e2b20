// Values of the lease protocol, for authors of a client or a server in another language: docs/protocol.md says
// what they mean. `npm run protocol-vectors` writes them; a test fails when the file is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExternalIdOptions, toExternalId } from 'kazahana/external';
import { DEFAULT_ID_LAYOUT, type IdLayout, kazahanaIdLayout } from 'kazahana/layout';
import { signHold, signRelease } from 'kazahana/lease';
// The rules themselves are no part of the public interface.
import {
  freeFromAfterRelease,
  type LeasedSlot,
  relayoutSlots,
  slotCount,
  slotsFor,
} from '../packages/kazahana/dist/lease/rules.js';
import { root } from './run.ts';

export const PROTOCOL_VECTORS = 'docs/protocol-vectors.json';

const LAYOUTS = {
  default: DEFAULT_ID_LAYOUT,
  'few machines, long bursts': { ...DEFAULT_ID_LAYOUT, bitId: 10, bitSeq: 12 },
  'many machines': { ...DEFAULT_ID_LAYOUT, bitId: 16, bitSeq: 6 },
  'a century and more': { ...DEFAULT_ID_LAYOUT, bitTs: 42, bitId: 13, bitSeq: 8 },
  '53 bits, for JSON numbers': { ...DEFAULT_ID_LAYOUT, bitReserve: 11, bitId: 6, bitSeq: 6 },
  'Unix epoch': { ...DEFAULT_ID_LAYOUT, customEpoch: 0, bitTs: 42, bitId: 10, bitSeq: 11 },
} satisfies Record<string, IdLayout>;

const SECRETS = ['00112233445566778899aabbccddeeff', 'f0e1d2c3b4a5968778695a4b3c2d1e0f'];
const IDS = [0n, 1n, 0x0123456789abcdefn, 251_658_240_000_001_280n, 2n ** 63n - 1n, 2n ** 64n - 1n];
const AT = 1_800_000_000_000;

function idVectors(): object[] {
  return Object.entries(LAYOUTS).flatMap(([layout, widths]) => {
    const { customEpoch, bitTs, bitId, bitSeq } = widths;
    const half = 2 ** (bitId - 1);
    const fields: [unixMs: number, machineId: number, sequence: number][] = [
      [customEpoch, 0, 0],
      [AT, 0, 0],
      [AT, 5, 7],
      [AT, half - 1, 2 ** bitSeq - 1],
      [AT, half, 0],
      [AT, half + 5, 7],
      [customEpoch + 2 ** bitTs - 1, 2 ** bitId - 1, 2 ** bitSeq - 1],
    ];
    return fields.map(([unixMs, machineId, sequence]) => {
      const id = kazahanaIdLayout(widths).encode({ timestamp: unixMs - customEpoch, machineId, sequence });
      const bytes = id.toString(16).padStart(16, '0');
      return { layout, unixMs, machineId, sequence, fallback: machineId >= half, id: String(id), bytes };
    });
  });
}

function signatureVectors(): object[] {
  return SECRETS.flatMap((secret) =>
    [0, 5, 8191].map((id) => ({
      secret,
      id,
      timestamp: AT + id,
      text: `${id}:${AT + id}`,
      signature: signRelease(secret, id, AT + id),
    })),
  );
}

/** What a holder signs to renew its lease. */
function renewalVectors(): object[] {
  return SECRETS.map((secret, i) => ({
    secret,
    id: i,
    timestamp: AT,
    text: `hold:${i}:${AT}`,
    signature: signHold(secret, i, AT),
  }));
}

function leaseCountVectors(): object[] {
  const rows: [throughputPerMs: number, bitSeq: number][] = [
    [1, 8],
    [256, 8],
    [257, 8],
    [1024, 8],
    [1024, 10],
    [1025, 10],
  ];
  return rows.map(([throughputPerMs, bitSeq]) => ({
    throughputPerMs,
    bitSeq,
    leases: slotsFor({ throughputPerMs }, { bitSeq }),
  }));
}

/** Where the next window of a slot begins, after a release with these timestamps. */
function releaseVectors(): object[] {
  const [created, fallbackUntil] = [AT, AT + 1_200_000];
  return [AT - 5000, AT - 1, AT, AT + 12_345, fallbackUntil - 1, fallbackUntil, fallbackUntil + 5000].map(
    (timestamp) => {
      const slot = { lease: { created }, freeFrom: fallbackUntil } as LeasedSlot;
      return { created, fallbackUntil, timestamp, freeFrom: freeFromAfterRelease(slot, timestamp) };
    },
  );
}

function layoutChangeVectors(): object[] {
  const slots: [number, number][] = [
    [4, AT + 50],
    [6, AT + 70],
    [9, AT + 5],
  ];
  const named = (list: Iterable<readonly [number, number]>) =>
    [...list].sort(([a], [b]) => a - b).map(([id, freeFrom]) => ({ id, freeFrom }));
  return [8, 6, 9, 10].map((bitSeq) => ({
    fromBitSeq: 8,
    toBitSeq: bitSeq,
    before: named(slots),
    after: named(relayoutSlots(slots, { bitSeq: 8 }, { bitSeq })),
  }));
}

function externalIdVectors(): object[] {
  const ways: ExternalIdOptions[] = [
    { algorithm: 'none' },
    { algorithm: 'mix' },
    { algorithm: 'xtea', secret: 'kazahana' },
    { algorithm: 'xtea', secret: '風花' },
  ];
  return ways.flatMap((options) =>
    IDS.map((id) => ({ ...options, id: String(id), externalId: toExternalId(id, options) })),
  );
}

/** The file as it must be. 64-bit IDs are decimal texts, since numbers of JSON lose their last digits. */
export function protocolVectors(): string {
  const layouts = Object.entries(LAYOUTS).map(([name, widths]) => {
    return { name, ...widths, leasable: slotCount(widths) };
  });
  const vectors = {
    layouts,
    ids: idVectors(),
    signatures: signatureVectors(),
    renewals: renewalVectors(),
    leaseCounts: leaseCountVectors(),
    releases: releaseVectors(),
    layoutChanges: layoutChangeVectors(),
    externalIds: externalIdVectors(),
  };
  return `${JSON.stringify(vectors, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(join(root, PROTOCOL_VECTORS), protocolVectors());
