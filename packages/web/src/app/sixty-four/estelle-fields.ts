// An Estelle ID between sliders, integer and bits: fields first, and whether a level has such an ID.
import {
  CLIENT_INDEXES,
  CONVERSATION_INDEXES,
  envName,
  isClientId,
  isConversationId,
  isPylonId,
  isWorkspaceId,
  MAX_ENV_ID,
  PYLON_INDEXES,
  WORKSPACE_INDEXES,
} from 'kazahana/estelle';
import type { Role } from 'kazahana/inspect';
import { clientIdLayout, conversationIdLayout, pylonIdLayout, workspaceIdLayout } from 'kazahana/layout';
import type { Bits } from '../ui/bit-digits.js';

export const LEVELS = ['pylon', 'client', 'workspace', 'conversation'] as const;
export type Level = (typeof LEVELS)[number];

const LAYOUTS = {
  pylon: pylonIdLayout,
  client: clientIdLayout,
  workspace: workspaceIdLayout,
  conversation: conversationIdLayout,
};
const GUARDS = {
  pylon: isPylonId,
  client: isClientId,
  workspace: isWorkspaceId,
  conversation: isConversationId,
};

export interface Slider {
  readonly name: 'envId' | 'deviceIndex' | 'workspaceIndex' | 'conversationIndex';
  readonly min: number;
  readonly max: number;
  readonly value: number;
}

export const bitsOf = (level: Level): number => LAYOUTS[level].bits;
export const describe = (level: Level, id: number) => LAYOUTS[level].describe(id);
export const isAllowed = (level: Level, id: number): boolean => GUARDS[level](id);

/** The sliders of an ID: its fields, each with the range that its level allows. */
export function slidersOf(level: Level, id: number): readonly Slider[] {
  const ranges = {
    envId: { min: 0, max: MAX_ENV_ID },
    deviceIndex: level === 'client' ? CLIENT_INDEXES : PYLON_INDEXES,
    workspaceIndex: WORKSPACE_INDEXES,
    conversationIndex: CONVERSATION_INDEXES,
  };
  return describe(level, id)
    .filter(({ name }) => Object.hasOwn(ranges, name))
    .map(({ name, value }) => ({
      name: name as Slider['name'],
      ...ranges[name as Slider['name']],
      value: Number(value),
    }));
}

/** The ID that sliders make; each is within its range, so there always is one. */
export function encode(level: Level, values: Readonly<Record<string, number>>): number {
  const layout = LAYOUTS[level] as { encode(values: Readonly<Record<string, number>>): number };
  const known = LAYOUTS[level].fields.filter(({ min, max }) => min !== max);
  return layout.encode(Object.fromEntries(known.map(({ name, min }) => [name, values[name] ?? Number(min)])));
}

export interface Node {
  readonly title: 'environment' | Level;
  readonly label: string;
  readonly id: number;
}

/** From the environment down to the ID: the tree's one branch that leads to it. */
export function branchOf(level: Level, id: number): readonly Node[] {
  const values = Object.fromEntries(describe(level, id).map(({ name, value }) => [name, Number(value)]));
  const path: readonly Level[] =
    level === 'client'
      ? ['client']
      : (['pylon', 'workspace', 'conversation'] as const).slice(0, LEVEL_DEPTH[level]);
  const index = {
    pylon: 'deviceIndex',
    client: 'deviceIndex',
    workspace: 'workspaceIndex',
    conversation: 'conversationIndex',
  };
  return [
    { title: 'environment', label: envName(values.envId ?? 0), id: values.envId ?? 0 },
    ...path.map((title) => ({ title, label: String(values[index[title]]), id: encode(title, values) })),
  ];
}

const LEVEL_DEPTH = { pylon: 1, client: 1, workspace: 2, conversation: 3 } as const;

/** The same ID at another level, as far as the two have fields in common. */
export function changeLevel(from: Level, id: number, to: Level): number {
  const values = Object.fromEntries(describe(from, id).map(({ name, value }) => [name, Number(value)]));
  const sliders = slidersOf(to, encode(to, {}));
  return encode(
    to,
    Object.fromEntries(
      sliders.map(({ name, min, max }) => {
        const value = values[name];
        return [name, value !== undefined && value >= min && value <= max ? value : min];
      }),
    ),
  );
}

/** Estelle IDs have no time: environment and device say where, the rest counts what is there. */
const ROLES: Readonly<Record<string, Role>> = {
  envId: 'version',
  deviceType: 'version',
  deviceIndex: 'machine',
  workspaceIndex: 'sequence',
  conversationIndex: 'random',
};

export function drawEstelle(level: Level, id: number): Bits {
  const fields = describe(level, id).map((field) => ({
    ...field,
    role: ROLES[field.name] ?? ('other' as const),
    meaning: null,
  }));
  return { bits: bitsOf(level), value: BigInt(id), fields };
}
