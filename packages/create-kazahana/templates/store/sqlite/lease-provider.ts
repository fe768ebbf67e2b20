// Leases in an SQLite file, for all programs of one host.
import { SqliteLeaseProvider } from '@kazahana/sqlite';

export const provider = new SqliteLeaseProvider({ path: process.env.LEASE_FILE ?? 'leases.db' });

export async function closeProvider(): Promise<void> {
  await provider.close();
}
