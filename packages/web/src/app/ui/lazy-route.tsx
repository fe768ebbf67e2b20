// A route that is loaded when it is first shown. Its heading is there at once, where it will stay.
import { type JSX, lazy, Suspense } from 'solid-js';
import type { Part } from '../state/address.js';
import { RouteHead } from './route-head.jsx';

export function lazyRoute(
  part: Part,
  load: () => Promise<{ default: () => JSX.Element }>,
): () => JSX.Element {
  const Loaded = lazy(load);
  return () => (
    <Suspense fallback={<RouteHead part={part} />}>
      <Loaded />
    </Suspense>
  );
}
