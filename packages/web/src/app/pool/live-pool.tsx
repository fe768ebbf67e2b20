// The pool of the server that served this page, as it changes.
import { createSignal, For, onCleanup, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { environment } from '../state/environment.js';
import { inLocal } from '../state/moments.js';
import { askHeaders, useToken } from '../state/server.js';
import { Field } from '../ui/field.jsx';
import { type LiveStatus, listPools, watchPool } from './live.js';
import { applyEvent, type PoolView } from './pool-state.js';
import { PoolPicture } from './pool-view.jsx';

const TICK_MS = 1000;
const DEFAULT_POOL = 'default';

export function LivePool() {
  const [view, setView] = createSignal<PoolView>();
  const [status, setStatus] = createSignal<LiveStatus>('connecting');
  const [now, setNow] = createSignal(environment.now());
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
      headers: askHeaders,
      signal,
      onStatus: (changed) => {
        if (signal.aborted) return;
        if (changed === 'live') setHeardAt(environment.now());
        if (changed === 'live' && pools().length === 0) void listPools(askHeaders()).then(setPools);
        setStatus(changed);
      },
      onEvent: (event) => {
        if (signal.aborted) return;
        const receivedAt = environment.now();
        setNow(receivedAt);
        setView(applyEvent(view(), event, receivedAt));
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
      // What nobody hears from the server is as old as the last word from it.
      if (status() === 'live') {
        setNow(environment.now());
        setHeardAt(environment.now());
      }
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
  const statusText = () => {
    switch (status()) {
      case 'live':
        return words().pool.live;
      case 'stale':
        return words().pool.stale(inLocal(heardAt()));
      case 'store-away':
        return words().pool.storeAway;
      default:
        return words().pool.connecting;
    }
  };
  return (
    <>
      <Show
        when={status() === 'needs-token'}
        fallback={
          <p class="status" role="status" data-testid="pool-status" data-status={status()}>
            <span class="dot" classList={{ on: status() === 'live' }} aria-hidden="true" />
            {statusText()}
          </p>
        }
      >
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
          <button type="button" class="main end" onClick={connect}>
            {words().pool.connect}
          </button>
        </div>
      </Show>
      <Show when={pools().length > 1}>
        <label class="field">
          <span>{words().pool.pool}</span>
          <select value={pool()} onChange={(event) => choosePool(event.currentTarget.value)}>
            <For each={pools()}>{(name) => <option value={name}>{name}</option>}</For>
          </select>
        </label>
      </Show>
      <Show when={view()}>{(known) => <PoolPicture view={known()} now={now()} />}</Show>
    </>
  );
}
