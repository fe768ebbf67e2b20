// The header: the box, and what the reader chose for the page.
import { For } from 'solid-js';
import { LANGUAGES, type Language, language, speak, words } from '../i18n/index.js';
import { box, setBatchText, show } from '../state/page-state.js';
import { choose, settings, THEMES, TIMES } from '../state/settings.js';
import { ROOMS } from '../state/share.js';
import { Choice } from './choice.jsx';

/** More than this is for the batch, which reads it in a worker; the box keeps its beginning. */
const MAX_IN_BOX = 2000;

function toBatch(text: string): void {
  setBatchText(text);
  show(text.slice(0, MAX_IN_BOX));
  document.querySelector('#batch')?.scrollIntoView();
}

function Flake() {
  const arms = [0, 60, 120, 180, 240, 300];
  return (
    <svg class="flake" viewBox="0 0 64 64" aria-hidden="true">
      <For each={arms}>
        {(angle) => (
          <path transform={`rotate(${angle} 32 32)`} d="M32 32V4M32 14l-7-6M32 14l7-6M32 22l-6-5M32 22l6-5" />
        )}
      </For>
    </svg>
  );
}

export function Header() {
  return (
    <header class="top">
      <div class="brand">
        <Flake />
        <h1>
          kazahana <span lang="ja">風花</span>
        </h1>
        <p>{words().tagline}</p>
      </div>
      <label class="box">
        <span class="unseen">{words().box}</span>
        <textarea
          id="box"
          rows="1"
          placeholder={`${words().box}: ${words().boxHint}`}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={box()}
          onInput={(event) => show(event.currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text') ?? '';
            if (text.length <= MAX_IN_BOX) return;
            event.preventDefault();
            toBatch(text);
          }}
        />
      </label>
      <p class="privacy">{words().privacy}</p>
      <div class="settings">
        <label class="field">
          <span>{words().language}</span>
          <select
            value={language()}
            onChange={(event) => {
              const wanted = event.currentTarget.value as Language;
              choose({ language: wanted });
              void speak(wanted);
            }}
          >
            <For each={Object.entries(LANGUAGES)}>
              {([name, title]) => (
                <option value={name} lang={name}>
                  {title}
                </option>
              )}
            </For>
          </select>
        </label>
        <Choice
          label={words().theme.label}
          names={THEMES}
          text={(name) => words().theme[name]}
          value={settings().theme}
          onChange={(theme) => choose({ theme })}
        />
        <Choice
          label={words().time.label}
          names={TIMES}
          text={(name) => words().time[name]}
          value={settings().time}
          onChange={(time) => choose({ time })}
        />
      </div>
      <nav class="rooms" aria-label={words().rooms.label}>
        <For each={ROOMS}>{(name) => <a href={`#${name}`}>{words().rooms[name]}</a>}</For>
      </nav>
    </header>
  );
}
