// The IDs of this program: 64-bit integers in the database, external IDs (note_…) in URLs and JSON.
import { createExternalIdCodec, KazahanaClient } from 'kazahana';
import { closeProvider, provider } from './lease-provider.ts';

const client = new KazahanaClient({ provider, serviceId: 'notes' });
// An empty secret is refused: anyone could then read from an ID how many notes there are.
const codec = createExternalIdCodec({ prefix: 'note', secret: process.env.EXTERNAL_ID_SECRET ?? '' });

export const nextId = (): Promise<bigint> => client.nextId();

export const toExternalId = (id: bigint): string => codec.toExternalId(id);

/** The ID in a text that a stranger sent; undefined where there is none. Never throws. */
export const parseExternalId = (text: string | undefined): bigint | undefined => codec.parse(text);

export async function closeIds(): Promise<void> {
  await client.shutdown();
  await closeProvider();
}
