// Our own: 64-bit kazahana IDs under the layout of a pool, their external form, and the IDs of Estelle.
import { isClientId, isConversationId, isPylonId, isWorkspaceId } from '../../estelle/guards.js';
import {
  clientIdLayout,
  conversationIdLayout,
  pylonIdLayout,
  workspaceIdLayout,
} from '../../estelle/layouts.js';
import { ExternalIdFormatError } from '../../external/errors.js';
import { toExternalId, toInternalId } from '../../external/one-shot.js';
import type { ExternalIdOptions } from '../../external/options.js';
import { isFallbackMachine, kazahanaIdLayout, LIB_DEFAULT_EPOCH, resolveIdLayout } from '../../id/layout.js';
import { type BitLayout, numberOf, withRoles } from '../bits.js';
import { bitFacts, bitForms } from '../facts.js';
import { message } from '../messages.js';
import { integerOf } from '../numbers.js';
import { inMilliseconds } from '../times.js';
import type { Context, Facts, Format, Match, Role } from '../types.js';
import { isUnixTime } from './unix-time.js';

const ID_ROLES: Readonly<Record<string, Role>> = {
  reserve: 'other',
  timestamp: 'time',
  machineId: 'machine',
  sequence: 'sequence',
};

const DAY_MS = 24 * 3600 * 1000;
const MINUTE_MS = 60 * 1000;

/** The default epoch is older than kazahana by months; a pool's own epoch may be a minute old. */
function sinceOf({ layout }: Context): number {
  const { customEpoch } = resolveIdLayout(layout);
  return customEpoch + (customEpoch === LIB_DEFAULT_EPOCH ? DAY_MS : MINUTE_MS);
}

function describeId(value: bigint, { layout, externalId }: Pick<Context, 'layout' | 'externalId'>): Facts {
  const resolved = resolveIdLayout(layout);
  const half = 2 ** (resolved.bitId - 1);
  const bits: BitLayout = withRoles(kazahanaIdLayout(layout), ID_ROLES, ({ name, value: part }) => {
    if (name === 'reserve') return message('field-always-zero');
    if (name !== 'machineId') return null;
    const isFallback = isFallbackMachine(Number(part), resolved);
    const slot = String(isFallback ? Number(part) - half : part);
    return message(isFallback ? 'field-fallback' : 'field-slot', { slot });
  });
  const text = String(value);
  return bitFacts(bits, value, text, (fields) => {
    const machineId = numberOf(fields, 'machineId');
    const fallback = isFallbackMachine(machineId, resolved);
    return {
      time: inMilliseconds(numberOf(fields, 'timestamp'), resolved.customEpoch),
      order: 'time',
      // A fenced fallback ID has none, a random one has all bits below the fallback's.
      randomBits: fallback ? null : 0,
      maker: fallback ? null : { field: 'machineId', text: String(machineId) },
      fallback,
      notes: fallback ? [message('note-fallback')] : [],
      forms: [{ name: 'external', text: toExternalId(value, externalId) }, ...bitForms(value, 64, text)],
    };
  });
}

function recogniseId(text: string, context: Context): Match | undefined {
  const value = integerOf(text);
  if (value === undefined) return undefined;
  const facts = describeId(value, context);
  // A clock's time is never claimed for an ID, even where the bits would give one that can be right.
  if (isUnixTime(value, context.now)) return { strength: 'weak', reason: 'reason-unix-time', facts };
  return { strength: 'shared', facts };
}

function describeExternal(value: bigint, { layout, externalId }: Context): Facts {
  const facts = describeId(value, { layout, externalId });
  const hasKey = externalId !== undefined && ('secret' in externalId || 'secrets' in externalId);
  return {
    ...facts,
    text: toExternalId(value, externalId),
    order: 'none',
    contains: 'kazahana-id',
    notes: [
      message('note-internal', { id: String(value) }),
      ...(hasKey ? [] : [message('note-internal-secret')]),
      ...facts.notes,
    ],
    forms: [{ name: 'decimal', text: String(value) }, ...facts.forms.filter(({ name }) => name === 'hex')],
  };
}

/** The ID behind a text, if it is written as the options say. */
function internalOf(text: string, externalId: ExternalIdOptions | undefined): bigint | undefined {
  try {
    return toInternalId(text, externalId);
  } catch (error) {
    // Options that contradict themselves are the caller's mistake, not the text's.
    if (error instanceof ExternalIdFormatError) return undefined;
    throw error;
  }
}

function recogniseExternal(text: string, context: Context): Match | undefined {
  const value = internalOf(text, context.externalId);
  if (value === undefined) return undefined;
  // Without its secret, an external ID is read as some other ID, most often one that no generator made.
  return { strength: 'telling', facts: describeExternal(value, context) };
}

const ESTELLE_ROLES: Readonly<Record<string, Role>> = {
  envId: 'version',
  deviceType: 'version',
  deviceIndex: 'machine',
  workspaceIndex: 'other',
  conversationIndex: 'sequence',
};

// The widest first: narrow ones are seldom written down.
const ESTELLE = [
  ['estelle-conversation', 'Estelle conversation', isConversationId, conversationIdLayout],
  ['estelle-workspace', 'Estelle workspace', isWorkspaceId, workspaceIdLayout],
  ['estelle-client', 'Estelle client', isClientId, clientIdLayout],
  ['estelle-pylon', 'Estelle pylon', isPylonId, pylonIdLayout],
] as const;

type EstelleName = (typeof ESTELLE)[number][0];

const estelleFormats = ESTELLE.map(([name, title, isOne, layout]): Format<EstelleName> => {
  const bits = withRoles(layout, ESTELLE_ROLES);
  const describe = (value: bigint) => bitFacts(bits, value, String(value), () => ({ randomBits: 0 }));
  return {
    name,
    title,
    family: 'kazahana',
    describe,
    recognise(text) {
      const value = integerOf(text);
      if (value === undefined || value >= 2n ** BigInt(bits.bits) || !isOne(Number(value))) return undefined;
      return { strength: 'shared', facts: describe(value) };
    },
  };
});

export const kazahanaFormats: readonly Format<'kazahana-id' | 'external-id' | EstelleName>[] = [
  {
    name: 'kazahana-id',
    title: 'kazahana ID',
    family: 'kazahana',
    // Our window is narrow: a number that fits it by chance is rare.
    spread: 12,
    since: sinceOf,
    recognise: recogniseId,
    describe: describeId,
  },
  {
    name: 'external-id',
    title: 'external ID',
    family: 'kazahana',
    since: sinceOf,
    shape: { lengths: [11], alphabet: /[\w-]/ },
    recognise: recogniseExternal,
    describe: describeExternal,
  },
  ...estelleFormats,
];
