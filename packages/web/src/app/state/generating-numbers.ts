// 64-bit IDs: of a client without a provider, or from the server that served the page. Loaded when one is wanted.
import { KazahanaClient } from 'kazahana';
import { askHeaders } from './server.js';

let client: KazahanaClient | undefined;

export async function makeStandalone(count: number): Promise<string[]> {
  client ??= new KazahanaClient();
  return (await client.nextIds(count)).map(String);
}

export async function askServer(count: number): Promise<string[]> {
  const response = await fetch('./ids', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...askHeaders() },
    body: JSON.stringify({ count }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(String(answer.code ?? response.status));
  return answer.ids.map(String);
}
