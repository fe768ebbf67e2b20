// What the page asks its server for. The page sees external IDs only; the 64-bit IDs stay on the server.

export interface Order {
  readonly id: string;
  readonly what: string;
}

/** `key` names this creation: sent twice, it still makes one order. */
export async function createOrder(key: string, what: string): Promise<Order> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  const response = await fetch('/api/orders', { method: 'POST', headers, body: JSON.stringify({ what }) });
  if (!response.ok) throw new Error(`the server refused the order: ${response.status}`);
  return (await response.json()) as Order;
}

/** The order of a link, or null where there is none. */
export async function findOrder(id: string): Promise<Order | null> {
  const response = await fetch(`/api/orders/${encodeURIComponent(id)}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`the server has no response: ${response.status}`);
  return (await response.json()) as Order;
}
