// A lease pool: of the server that served the page, or simulated where there is none.
import { createSignal, lazy, onMount, Show, Suspense } from 'solid-js';
import { words } from '../i18n/index.js';
import { isServed, serverUrl } from '../state/server.js';
import { poolSnippets } from '../state/snippets.js';
import { CodeTabs } from '../ui/code-tabs.jsx';
import { RouteHead } from '../ui/route-head.jsx';
import { LivePool } from './live-pool.jsx';

const loadSimulation = () => import('./simulated-pool.jsx');
const SimulatedPool = lazy(async () => ({ default: (await loadSimulation()).SimulatedPool }));

export default function PoolRoute() {
  const [isSimulated, setIsSimulated] = createSignal(!isServed());
  // While the server responds: when it is away, the simulation is offered, and could not be loaded any more.
  onMount(() => void loadSimulation().catch(() => {}));
  return (
    <div id="pool">
      <Show when={isSimulated()} fallback={<LivePool onSimulate={() => setIsSimulated(true)} />}>
        <RouteHead part="pool">
          <strong class="badge">{words().pool.simulation}</strong>
          <Show when={isServed()}>
            <div class="end">
              <button type="button" class="quiet" onClick={() => setIsSimulated(false)}>
                {words().pool.stopSimulation}
              </button>
            </div>
          </Show>
        </RouteHead>
        <div class="section">
          <Suspense>
            <SimulatedPool />
          </Suspense>
        </div>
      </Show>
      <div class="section">
        <CodeTabs {...poolSnippets(serverUrl())} />
      </div>
    </div>
  );
}
