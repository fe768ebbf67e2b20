// Room 8: a lease pool. Of the server that served the page, or simulated where there is none.
import { lazy, Suspense } from 'solid-js';
import { words } from '../i18n/index.js';
import { LivePool } from '../pool/live-pool.jsx';
import { isServed } from '../state/server.js';
import { Room } from '../ui/room.jsx';
import { Same } from '../ui/same.jsx';
import { poolSnippets } from './snippets.js';

const SimulatedPool = lazy(async () => ({
  default: (await import('../pool/simulated-pool.jsx')).SimulatedPool,
}));

export default function Pool() {
  return (
    <Room name="pool" lead={words().pool.lead}>
      {isServed() ? (
        <LivePool />
      ) : (
        <Suspense>
          <SimulatedPool />
        </Suspense>
      )}
      <Same {...poolSnippets} />
    </Room>
  );
}
