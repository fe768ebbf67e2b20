// What a text can be read as: every kind of ID that it fits, the most plausible first. Plausible is what has a time
// between the beginnings of such IDs and now; a text alone cannot say more.

import { isClientId, isConversationId, isPylonId, isWorkspaceId } from '../estelle/guards.js';
import {
  clientIdLayout,
  conversationIdLayout,
  pylonIdLayout,
  workspaceIdLayout,
} from '../estelle/layouts.js';
import { toInternalId } from '../external/one-shot.js';
import type { ExternalIdOptions } from '../external/options.js';
import type { IdLayout } from '../id/layout.js';
import type { FieldDescription } from '../layout/layout.js';
import { type Preset, type PresetName, presets } from './presets.js';
import { readUuidText } from './uuid-reading.js';

export type ReadingName =
  | 'uuid'
  | 'external'
  | 'pylon'
  | 'client'
  | 'workspace'
  | 'conversation'
  | PresetName;

/** A text, read as one kind of ID. */
export interface Reading {
  readonly as: ReadingName;
  /** What kind that is, for people. */
  readonly title: string;
  /** The ID in its usual form. */
  readonly text: string;
  readonly bits: number;
  /** All its bits as one integer. */
  readonly value: bigint;
  /** From the most significant bits to the least. */
  readonly fields: readonly FieldDescription[];
  /** The time in it, if there is one. */
  readonly unixMs: number | null;
  /** For kazahana IDs: made without a valid lease. */
  readonly fallback: boolean;
  /** What the fields do not say. */
  readonly notes: readonly string[];
  /** From 0, hardly, to 1, certainly. */
  readonly plausibility: number;
}

export interface ReadOptions {
  /** By which times are judged. */
  readonly now: number;
  /** The layout of the pool, for kazahana IDs. */
  readonly layout?: Partial<IdLayout>;
  /** How public IDs were written. */
  readonly externalId?: ExternalIdOptions;
}

const YEAR = 365.25 * 24 * 3600 * 1000;
const DAY = 24 * 3600 * 1000;
/** Before it nobody made such IDs. */
const BEGINNING = Date.UTC(1990, 0, 1);
/** An ID of the first minute after an epoch is a small number that has been taken for an ID. */
const FIRST_MOMENTS_MS = 60_000;

/** How likely it is that somebody made an ID at that time, as seen from now. */
function plausibilityOf(unixMs: number, sinceEpochMs: number, now: number): number {
  if (sinceEpochMs < FIRST_MOMENTS_MS) return 0.02;
  if (unixMs > now + DAY) return 0.1;
  if (unixMs < BEGINNING) return 0.05;
  // Younger ones are met more often than older ones.
  return 0.95 - 0.45 * Math.min(1, Math.max(0, now - unixMs) / (40 * YEAR));
}

const FALLBACK_NOTE =
  'made without a valid lease: either fenced, under the number of a lease that could not be renewed, or random, ' +
  'with no lease at all; the bits do not tell which';

function readNumber(
  as: ReadingName,
  { title, epoch, layout }: Preset,
  value: bigint,
  text: string,
  now: number,
): Reading {
  const fields = layout.describe(value);
  const field = (name: string) => fields.find((candidate) => candidate.name === name);
  const sinceEpoch = Number(field('timestamp')?.value ?? 0);
  const machine = field('machineId');
  const fallback = machine !== undefined && Number(machine.value) >= 2 ** (machine.bits - 1);
  const isAllowed = fields.every(({ inRange }) => inRange);
  return {
    as,
    title,
    text,
    bits: layout.bits,
    value,
    fields,
    unixMs: epoch + sinceEpoch,
    fallback,
    notes: fallback ? [FALLBACK_NOTE] : [],
    plausibility: isAllowed ? plausibilityOf(epoch + sinceEpoch, sinceEpoch, now) : 0.01,
  };
}

const ESTELLE = [
  ['pylon', 'Estelle pylon', isPylonId, pylonIdLayout],
  ['client', 'Estelle client', isClientId, clientIdLayout],
  ['workspace', 'Estelle workspace', isWorkspaceId, workspaceIdLayout],
  ['conversation', 'Estelle conversation', isConversationId, conversationIdLayout],
] as const;

function readEstelle(value: bigint): Reading[] {
  if (value >= 2n ** 24n) return [];
  const number = Number(value);
  return ESTELLE.filter(([, , isOne]) => isOne(number)).map(([as, title, , layout]) => ({
    as,
    title,
    text: String(number),
    bits: layout.bits,
    value,
    fields: layout.describe(number),
    unixMs: null,
    fallback: false,
    notes: [],
    // The widest that fits is the likeliest: narrow ones are seldom written down.
    plausibility: 0.3 + layout.bits / 240,
  }));
}

/** The integer that a text writes in decimal, or in hexadecimal with `0x`; undefined when it is none of 64 bits. */
function integerOf(text: string): bigint | undefined {
  if (!/^(?:[0-9]{1,20}|0x[0-9a-f]{1,16})$/i.test(text)) return undefined;
  const value = BigInt(text);
  return value < 2n ** 64n ? value : undefined;
}

function readExternal(text: string, { externalId, layout, now }: ReadOptions): Reading[] {
  if (!/^[\w-]{11}$/.test(text)) return [];
  let value: bigint;
  try {
    value = toInternalId(text, externalId);
  } catch {
    return [];
  }
  const { kazahana } = presets(layout);
  const reading = readNumber('external', kazahana, value, text, now);
  return [{ ...reading, title: 'public ID', notes: [`of the kazahana ID ${value}`, ...reading.notes] }];
}

/**
 * Everything that a text can be read as, the most plausible first; empty when it is no ID that we know.
 *
 * ```ts
 * readId('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', { now: 1800000000000 })[0]?.title; // → 'UUID v7'
 * ```
 */
export function readId(text: string, options: ReadOptions): Reading[] {
  const uuid = readUuidText(text);
  if (uuid) return [uuid];
  const value = integerOf(text);
  const readings = [
    ...(value === undefined
      ? []
      : [
          ...Object.entries(presets(options.layout)).map(([as, preset]) =>
            readNumber(as as PresetName, preset, value, String(value), options.now),
          ),
          ...readEstelle(value),
        ]),
    ...readExternal(text, options),
  ];
  return readings.sort((a, b) => b.plausibility - a.plausibility);
}
