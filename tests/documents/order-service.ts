// What every example that serves orders must do: make one, link to it by its external ID, read it back exactly, and respond with 404
// to links that were made up.
import assert from 'node:assert/strict';
import { createExternalIdCodec, decodeId, maxIdAt } from 'kazahana';

export const ORDER_SECRET = 'a secret of the tests';
const codec = createExternalIdCodec({ prefix: 'order', secret: ORDER_SECRET });

/** 11 characters that no codec has made. */
function madeUp(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const random = crypto.getRandomValues(new Uint8Array(11));
  return Array.from(random, (byte) => alphabet.charAt(byte & 63)).join('');
}

const badLinks = (): string[] => [
  ...Array.from({ length: 50 }, () => `order_${madeUp()}`),
  // An ID that can exist, but is no order; one beyond a signed column; one of another kind of thing.
  codec.toExternalId(maxIdAt(Date.now() - 1000)),
  codec.toExternalId(2n ** 64n - 1n),
  createExternalIdCodec({ prefix: 'user', secret: ORDER_SECRET }).toExternalId(5n),
  ...['42', 'order_', "'; DROP TABLE orders"],
];

export async function checkOrders(orders: string): Promise<void> {
  const post = (body: string) =>
    fetch(orders, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const made = await post(JSON.stringify({ what: 'tea' }));
  const text = await made.text();
  assert.equal(made.status, 201, text);
  const order = JSON.parse(text) as { id: string; what: string };
  assert.deepEqual(order, { id: order.id, what: 'tea' });
  assert.match(order.id, /^order_[\w-]{11}$/);
  assert.equal(decodeId(codec.toInternalId(order.id)).fallback, false, 'the ID is not leased');
  const location = made.headers.get('location') ?? '';
  assert.equal(new URL(location, orders).href, `${orders}/${order.id}`);
  const found = await fetch(`${orders}/${order.id}`);
  assert.match(found.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(await found.json(), order);

  for (const link of badLinks()) {
    const { status } = await fetch(`${orders}/${encodeURIComponent(link)}`);
    assert.equal(status, 404, `${link} is ${status}`);
  }
  for (const body of ['', '{', '{}', '{"what":""}', '{"what":5}']) {
    const { status } = await post(body);
    assert.equal(status, 400, `the body ${body} is ${status}`);
  }
}
