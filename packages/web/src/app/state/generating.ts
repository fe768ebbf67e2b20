// Making IDs, of every kind that the page offers. v7s of one page share a session, as the source document says.
import { generateV1, generateV4, type SupportedUuidVersion, UuidV7Generator } from 'kazahana/uuid';
import { isServed } from './server.js';

export const KINDS = ['v7', 'v4', 'v1', 'kazahana', 'leased'] as const;
export type Kind = (typeof KINDS)[number];
export const MAX_COUNT = 10_000;

export const offeredKinds = (): readonly Kind[] => KINDS.filter((kind) => kind !== 'leased' || isServed());
export const isUuidKind = (kind: Kind): boolean => kind.startsWith('v');

/** The count that a text says; undefined for what is not allowed, which is refused and never clamped. */
export function readCount(text: string): number | undefined {
  if (!/^\d{1,6}$/.test(text.trim())) return undefined;
  const count = Number(text);
  return count >= 1 && count <= MAX_COUNT ? count : undefined;
}

let session: UuidV7Generator | undefined;

export function generateUuids(kind: SupportedUuidVersion, count: number): string[] {
  session ??= new UuidV7Generator({ tail: 'session' });
  const v7 = session;
  const generate = kind === 'v1' ? generateV1 : kind === 'v4' ? generateV4 : () => v7.next();
  return Array.from({ length: count }, generate);
}

/** IDs of the kinds that have to wait: for a millisecond with room, or for the server. */
export async function generateNumbers(kind: 'kazahana' | 'leased', count: number): Promise<string[]> {
  const { makeStandalone, askServer } = await import('./generating-numbers.js');
  return kind === 'kazahana' ? makeStandalone(count) : askServer(count);
}
