// The bar that stays at the top: the mark, the box, the four routes, the menu.
import { For } from 'solid-js';
import { words } from '../i18n/index.js';
import { HOME, ROUTES, routeOf, SECTIONS, writeAddress } from '../state/address.js';
import { address } from '../state/location.js';
import { subjectAddress } from '../state/subject.js';
import { Box } from './box.jsx';
import { Flake } from './mark.jsx';
import { Menu } from './menu.jsx';

export function Bar() {
  const current = () => routeOf(address().part);
  return (
    <header class="bar">
      <a class="mark" href={writeAddress(HOME)} aria-label={words().bar.home}>
        <Flake />
        <span>kazahana</span>
      </a>
      <Box />
      <nav class="routes" aria-label={words().bar.routes}>
        <For each={ROUTES}>
          {(route) => (
            <a
              // Back to what was read, not to a new ID.
              href={writeAddress(route === 'id' ? subjectAddress() : { ...HOME, part: SECTIONS[route][0] })}
              aria-current={current() === route ? 'page' : undefined}
            >
              {words().routes[route]}
            </a>
          )}
        </For>
      </nav>
      <Menu />
    </header>
  );
}
