// The head of a route: what it is, and its sections beside it.
import { For, type JSX, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { type Address, HOME, type Part, routeOf, SECTIONS, writeAddress } from '../state/address.js';
import { linkTo } from '../state/location.js';
import { CopyButton } from './copy.jsx';

export function RouteHead(props: {
  part: Part;
  /** What a link to here carries; no button when left out. */
  share?: () => Address['values'];
  children?: JSX.Element;
}) {
  const sections = (): readonly Part[] => SECTIONS[routeOf(props.part)];
  const link = () => linkTo({ part: props.part, subject: '', values: props.share?.() ?? {} });
  return (
    <div class="head">
      <h1 tabindex="-1">{words().parts[props.part].title}</h1>
      <Show when={sections().length > 1}>
        <nav class="tabs" aria-label={words().bar.sections}>
          <For each={sections()}>
            {(part) => (
              <a
                href={writeAddress({ ...HOME, part })}
                aria-current={part === props.part ? 'page' : undefined}
              >
                {words().parts[part].tab}
              </a>
            )}
          </For>
        </nav>
      </Show>
      {props.children}
      <Show when={props.share}>
        <div class="end">
          <CopyButton text={link} label={words().share} />
        </div>
      </Show>
    </div>
  );
}
