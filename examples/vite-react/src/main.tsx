// The page: a form that makes an order, and a link to each, `/orders/order_…`.
import { generateV7 } from 'kazahana/uuid';
import { type FormEvent, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createOrder, findOrder, type Order } from './api.ts';

function NewOrder() {
  const [what, setWhat] = useState('');
  // A UUID v7, made in the browser: a second click, or a retry, makes no second order.
  const [key, setKey] = useState(generateV7);
  const [made, setMade] = useState<readonly Order[]>([]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const order = await createOrder(key, what);
    setMade((before) => [order, ...before]);
    setWhat('');
    setKey(generateV7());
  };

  return (
    <main>
      <h1>Orders</h1>
      <form onSubmit={submit}>
        <label>
          What? <input value={what} onChange={(event) => setWhat(event.target.value)} required />
        </label>
        <button type="submit">Order</button>
      </form>
      <ul>
        {made.map(({ id, what: name }) => (
          <li key={id}>
            <a href={`/orders/${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </main>
  );
}

function ShowOrder({ id }: { readonly id: string }) {
  const [order, setOrder] = useState<Order | null>();
  useEffect(() => {
    findOrder(id).then(setOrder);
  }, [id]);
  if (order === undefined) return <p>Loading …</p>;
  if (order === null) return <h1>There is no such order</h1>;
  return (
    <main>
      <h1>{order.what}</h1>
      <code>{order.id}</code>
    </main>
  );
}

const [, route, id] = location.pathname.split('/');
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    {route === 'orders' && id ? <ShowOrder id={decodeURIComponent(id)} /> : <NewOrder />}
  </StrictMode>,
);
