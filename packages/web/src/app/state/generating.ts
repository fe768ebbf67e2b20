// Makes IDs of every kind that the page offers.
import { generateV1, generateV4, type SupportedUuidVersion, UuidV7Generator } from 'kazahana/uuid';
import { isServed } from './server.js';

export const KINDS = ['v7', 'v4', 'v1', 'kazahana', 'leased'] as const;
export type Kind = (typeof KINDS)[number];
/** What follows the counter of a v7: random bits in each, or 46 bits that all IDs of this page share, then 16 random ones. */
export const TAILS = ['random', 'session'] as const;
export type Tail = (typeof TAILS)[number];
export const MAX_COUNT = 10_000;

export const offeredKinds = (): readonly Kind[] => KINDS.filter((kind) => kind !== 'leased' || isServed());
export const isUuidKind = (kind: Kind): kind is SupportedUuidVersion => kind.startsWith('v');

/** The count that a text says; undefined for what is not allowed, which is refused and never clamped. */
export function readCount(text: string): number | undefined {
  if (!/^\d{1,6}$/.test(text.trim())) return undefined;
  const count = Number(text);
  return count >= 1 && count <= MAX_COUNT ? count : undefined;
}

const generators: Partial<Record<Tail, UuidV7Generator>> = {};

export function generateUuids(kind: SupportedUuidVersion, count: number, tail: Tail = 'random'): string[] {
  generators[tail] ??= new UuidV7Generator({ tail });
  const v7 = generators[tail];
  const generate = kind === 'v1' ? generateV1 : kind === 'v4' ? generateV4 : () => v7.next();
  return Array.from({ length: count }, generate);
}

/** IDs of any kind. Those of 64 bits wait: for a millisecond with room, or for the server. */
export async function generate(kind: Kind, count: number, tail: Tail): Promise<string[]> {
  if (isUuidKind(kind)) return generateUuids(kind, count, tail);
  const { generateStandalone, generateOnServer } = await import('./generating-numbers.js');
  return kind === 'kazahana' ? generateStandalone(count) : generateOnServer(count);
}
