// Leases from a lease server: `npm run ids` starts one. While it is away, the client goes on, and warns when its IDs have odds.
import { HttpLeaseProvider } from 'kazahana';

const { KAZAHANA_URL = 'http://127.0.0.1:7420', KAZAHANA_TOKEN } = process.env;

export const provider = new HttpLeaseProvider(KAZAHANA_URL, KAZAHANA_TOKEN ? { token: KAZAHANA_TOKEN } : {});

export async function closeProvider(): Promise<void> {}
