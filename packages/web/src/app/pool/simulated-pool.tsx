// A pool without a server, plainly marked as what it is.
import { createSignal, onCleanup, onMount, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { environment } from '../state/environment.js';
import { duration } from '../state/moments.js';
import { Range } from '../ui/range.jsx';
import { PoolPicture } from './pool-picture.jsx';
import { type PoolView, viewOf } from './pool-state.js';
import { DEFAULTS, Simulation, type SimulationSettings } from './simulation.js';

/** Each tenth of a second is a second there. */
const TICK_MS = 100;
const STEP_MS = 1000;
/** So much has passed before the first look: enough for every client to have its lease. */
const FIRST_STEPS = 3;

export function SimulatedPool() {
  const [settings, setSettings] = createSignal<SimulationSettings>(DEFAULTS);
  const [view, setView] = createSignal<PoolView>();
  const [isRunning, setIsRunning] = createSignal(false);
  const [passed, setPassed] = createSignal({ ids: 0, ms: 0, now: 0 });
  const gone = new AbortController();
  let simulation = new Simulation(DEFAULTS);
  /** Steps are awaited one after another: the time of a simulation has one mover. */
  let moving: Promise<void> = Promise.resolve();

  const look = async (from: Simulation) => {
    const state = await from.look();
    if (from !== simulation) return;
    // The simulation's clock is the watcher's, too.
    setView(viewOf(view(), state, from.now));
    setPassed({ ids: from.idsMade, ms: from.elapsedMs, now: from.now });
  };
  const step = (steps: number) => {
    const current = simulation;
    moving = moving.then(async () => {
      for (let i = 0; i < steps; i++) await current.step(STEP_MS, settings());
      await look(current);
    });
    return moving;
  };
  const run = async () => {
    setIsRunning(true);
    while (isRunning() && !gone.signal.aborted) {
      await step(1);
      await environment.sleep(TICK_MS, { signal: gone.signal });
    }
  };
  const restart = (changed: SimulationSettings) => {
    const old = simulation;
    moving = moving.then(() => old.close());
    setSettings(changed);
    simulation = new Simulation(changed);
    setView(undefined);
    void step(FIRST_STEPS);
  };
  onMount(() => void step(FIRST_STEPS));
  onCleanup(() => {
    gone.abort('gone');
    const old = simulation;
    void moving.then(() => old.close());
  });

  return (
    <>
      <p class="note">{words().pool.simulationNote}</p>
      <div class="sliders">
        <Range
          label={words().pool.clients}
          min={0}
          max={160}
          value={settings().clients}
          text={count(settings().clients)}
          onInput={(clients) => {
            setSettings({ ...settings(), clients });
            if (!isRunning()) void step(1);
          }}
        />
        <Range
          label={words().pool.crashes}
          min={0}
          max={60}
          value={settings().crashesPerMinute}
          text={count(settings().crashesPerMinute)}
          onInput={(crashesPerMinute) => setSettings({ ...settings(), crashesPerMinute })}
        />
        <Range
          label={words().pool.leaseTime}
          min={10}
          max={300}
          step={10}
          value={settings().leaseSeconds}
          text={words().pool.seconds(count(settings().leaseSeconds))}
          onInput={(leaseSeconds) => restart({ ...settings(), leaseSeconds })}
        />
      </div>
      <div class="actions">
        <button
          type="button"
          class="main"
          onClick={() => (isRunning() ? setIsRunning(false) : void run())}
          data-testid="simulate"
        >
          {isRunning() ? words().pool.pause : words().pool.start}
        </button>
        <button type="button" class="quiet" onClick={() => restart(settings())}>
          {words().pool.restart}
        </button>
        <span class="note">
          {words().pool.simulatedTime}: {duration(passed().ms)} · {words().pool.simulatedIds}:{' '}
          {count(passed().ids)}
        </span>
      </div>
      <Show when={view()}>{(known) => <PoolPicture view={known()} now={passed().now} />}</Show>
    </>
  );
}
