// Which service, host and process made an ID: the pool remembers the last holders of each slot.
import type { WhoisResult } from 'kazahana/lease';
import { createEffect, createSignal, For, on, Show } from 'solid-js';
import { count, words } from '../i18n/index.js';
import { address } from '../state/location.js';
import { Field } from '../ui/field.jsx';
import { Moment } from '../ui/moment.jsx';
import { leaseServer } from './lease-server.js';

function readId(text: string): bigint | undefined {
  const id = /^\d{1,20}$/.test(text.trim()) ? BigInt(text.trim()) : 2n ** 64n;
  return id < 2n ** 64n ? id : undefined;
}

function Result(props: { found: WhoisResult }) {
  const maker = () => props.found.maker;
  return (
    <dl class="facts" data-testid="whois">
      <dt>{words().table.heads.time}</dt>
      <dd>
        <Moment unixMs={props.found.unixMs} />
      </dd>
      <dt>{words().pool.slotNumber}</dt>
      <dd>{count(props.found.machineId)}</dd>
      <Show
        when={maker()}
        fallback={
          <>
            <dt>{words().pool.holder}</dt>
            <dd>{words().pool.whoisUnknown}</dd>
          </>
        }
      >
        {(known) => (
          <>
            <dt>{words().pool.service}</dt>
            <dd>{known().serviceId}</dd>
            <For each={Object.entries(known().holder)}>
              {([name, value]) => (
                <>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </>
              )}
            </For>
            <dt>{words().pool.created}</dt>
            <dd>
              <Moment unixMs={known().created} />
            </dd>
          </>
        )}
      </Show>
      <Show when={props.found.isFallback}>
        <dt />
        <dd class="warm">{words().pool.whoisRandom}</dd>
      </Show>
    </dl>
  );
}

export function Whois(props: { pool: string; isDisabled: boolean }) {
  const [text, setText] = createSignal('');
  const [found, setFound] = createSignal<WhoisResult>();
  const [problem, setProblem] = createSignal<string>();
  const find = async () => {
    const id = readId(text());
    setFound(undefined);
    setProblem(id === undefined ? words().pool.whoisBad : undefined);
    if (id === undefined) return;
    try {
      setFound(await leaseServer().whois(id, props.pool));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      setProblem(`${words().pool.whoisFailed}: ${reason}`);
    }
  };
  createEffect(
    on(address, ({ part, values }) => {
      if (part !== 'pool' || values.whois === undefined) return;
      setText(values.whois);
      void find();
    }),
  );
  return (
    <section class="card whois" aria-labelledby="whois">
      <h2 id="whois">{words().pool.whois}</h2>
      <div class="controls">
        <Field
          label={words().pool.whoisId}
          isBare
          mono
          class="grow"
          value={text()}
          onInput={setText}
          onEnter={() => void find()}
          error={problem()}
        />
        <button type="button" class="quiet" disabled={props.isDisabled} onClick={() => void find()}>
          {words().pool.whoisAsk}
        </button>
      </div>
      <Show when={found()}>{(known) => <Result found={known()} />}</Show>
    </section>
  );
}
