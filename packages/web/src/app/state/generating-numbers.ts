// 64-bit IDs: of a client without a provider, or of the server that served the page. Loaded when one is wanted.
import { KazahanaClient } from 'kazahana';
import { tokenHeaders } from './server.js';

let client: KazahanaClient | undefined;

export async function generateStandalone(count: number): Promise<string[]> {
  client ??= new KazahanaClient();
  return (await client.nextIds(count)).map(String);
}

export async function generateOnServer(count: number): Promise<string[]> {
  const response = await fetch('./ids', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokenHeaders() },
    body: JSON.stringify({ count }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(String(body.code ?? response.status));
  return body.ids.map(String);
}
