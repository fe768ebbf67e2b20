// The wire protocol by hand, as curl would do it.
import { type LeaseInfo, signRelease } from 'kazahana/lease';

const send = (url: string, method: string, body: unknown) =>
  fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export async function acquire(url: string, body: object = {}): Promise<LeaseInfo> {
  const response = await send(`${url}/lease`, 'POST', body);
  if (response.status !== 200) throw new Error(`acquire: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { leases: LeaseInfo[] }).leases[0] as LeaseInfo;
}

export async function release(url: string, { id, secret, created }: LeaseInfo): Promise<number> {
  const signature = signRelease(secret, id, created);
  return (await send(`${url}/lease/${id}`, 'DELETE', { timestamp: created, signature })).status;
}

export async function mint(url: string, count: number): Promise<string[]> {
  const response = await send(`${url}/ids`, 'POST', { count });
  return ((await response.json()) as { ids: string[] }).ids;
}

/** The machine IDs that are held. */
export async function heldIds(url: string): Promise<number[]> {
  const { leases } = (await (await fetch(`${url}/pool`)).json()) as { leases: { id: number }[] };
  return leases.map(({ id }) => id);
}
