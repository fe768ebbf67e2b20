// The pool of the server that served this page, as it changes.
import { createSignal, For, onCleanup, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { environment } from '../state/environment.js';
import { inRelation } from '../state/moments.js';
import { tokenHeaders, useToken } from '../state/server.js';
import { Field } from '../ui/field.jsx';
import { RouteHead } from '../ui/route-head.jsx';
import { leaseServer } from './lease-server.js';
import { PoolPicture } from './pool-picture.jsx';
import { type PoolView, viewOf } from './pool-state.js';
import { type LiveStatus, listPools, watchPool } from './watch-pool.js';
import { Whois } from './whois.jsx';

const TICK_MS = 1000;
const DEFAULT_POOL = 'default';

export function LivePool(props: { onSimulate: () => void }) {
  const [view, setView] = createSignal<PoolView>();
  const [status, setStatus] = createSignal<LiveStatus>('connecting');
  /** The reader's clock, and the last time at which the server was there. */
  const [clock, setClock] = createSignal(environment.now());
  const [heardAt, setHeardAt] = createSignal(environment.now());
  const [token, setToken] = createSignal('');
  const [hasTried, setHasTried] = createSignal(false);
  const gone = new AbortController();
  onCleanup(() => gone.abort('gone'));

  const [pool, setPool] = createSignal(DEFAULT_POOL);
  const [pools, setPools] = createSignal<readonly string[]>([]);
  let watching = new AbortController();

  const watch = () => {
    watching.abort('another');
    watching = new AbortController();
    const { signal } = watching;
    void watchPool({
      pool: pool(),
      environment,
      headers: tokenHeaders,
      inspector: leaseServer,
      signal,
      onStatus: (changed) => {
        if (signal.aborted) return;
        if (changed === 'live') setHeardAt(environment.now());
        if (changed === 'live' && pools().length === 0) void listPools(tokenHeaders()).then(setPools);
        setStatus(changed);
      },
      onState: (state) => {
        if (signal.aborted) return;
        const receivedAt = environment.now();
        setHeardAt(receivedAt);
        setClock(receivedAt);
        setView(viewOf(view(), state, receivedAt));
      },
    });
  };
  gone.signal.addEventListener('abort', () => watching.abort('gone'));
  const choosePool = (name: string) => {
    setPool(name);
    setView(undefined);
    setStatus('connecting');
    watch();
  };
  const tick = async () => {
    while (!gone.signal.aborted) {
      await environment.sleep(TICK_MS, { signal: gone.signal });
      setClock(environment.now());
      if (status() === 'live') setHeardAt(clock());
    }
  };
  watch();
  void tick();
  const connect = () => {
    useToken(token());
    setHasTried(true);
    setStatus('connecting');
    watch();
  };
  const isStale = () => status() === 'stale' || status() === 'store-away';
  const statusText = () => {
    switch (status()) {
      case 'live':
        return words().pool.live;
      case 'stale':
        return words().pool.disconnected(inRelation(heardAt(), clock()));
      case 'store-away':
        return words().pool.storeAway;
      default:
        return words().pool.connecting;
    }
  };
  return (
    <>
      <RouteHead part="pool">
        <Show when={status() !== 'needs-token'}>
          <p class="status" role="status" data-testid="pool-status" data-status={status()}>
            <span class="dot" classList={{ on: status() === 'live' }} aria-hidden="true" />
            <span classList={{ warm: isStale() }}>{statusText()}</span>
          </p>
          <Show when={isStale()}>
            <button type="button" class="quiet" onClick={() => props.onSimulate()}>
              {words().pool.simulate}
            </button>
          </Show>
          <Show when={pools().length > 1}>
            <label class="field inline end">
              <span>{words().pool.pool}</span>
              <select value={pool()} onChange={(event) => choosePool(event.currentTarget.value)}>
                <For each={pools()}>{(name) => <option value={name}>{name}</option>}</For>
              </select>
            </label>
          </Show>
        </Show>
      </RouteHead>
      <div class="section">
        <Show when={status() === 'needs-token'}>
          <p class="note">{words().pool.needToken}</p>
          <div class="controls">
            <Field
              label={words().pool.token}
              type="password"
              class="grow"
              value={token()}
              onInput={setToken}
              onEnter={connect}
              error={hasTried() ? words().pool.refused : undefined}
            />
            <button type="button" class="main" onClick={connect}>
              {words().pool.connect}
            </button>
            <button type="button" class="quiet" onClick={() => props.onSimulate()}>
              {words().pool.simulate}
            </button>
          </div>
        </Show>
        <Show when={view()}>
          {(known) => (
            <div class="picture-of-pool" classList={{ stale: isStale() }}>
              {/* What the server does not say any more is as old as its last word. */}
              <PoolPicture view={known()} now={isStale() ? heardAt() : clock()} />
              <Whois pool={pool()} isDisabled={isStale()} />
            </div>
          )}
        </Show>
      </div>
    </>
  );
}
