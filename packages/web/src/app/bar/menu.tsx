// What the reader chooses for the page: language, theme, times, keys.
import { For } from 'solid-js';
import { LANGUAGES, type Language, language, speak, words } from '../i18n/index.js';
import { choose, settings, THEMES, TIMES } from '../state/settings.js';
import { Choice } from '../ui/choice.jsx';
import { openHelp } from './help.jsx';
import { NameInJapanese } from './mark.jsx';

export function Menu() {
  let panel: HTMLDivElement | undefined;
  return (
    <>
      <button type="button" class="icon" popovertarget="menu" aria-label={words().bar.settings}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 7h9M19 7h1M4 17h1M11 17h9" />
          <circle cx="16" cy="7" r="2.5" />
          <circle cx="8" cy="17" r="2.5" />
        </svg>
      </button>
      <div
        id="menu"
        popover
        ref={(element) => {
          panel = element;
        }}
      >
        <label class="field">
          <span>{words().settings.language}</span>
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
          label={words().settings.theme}
          names={THEMES}
          text={(name) => words().settings.themes[name]}
          value={settings().theme}
          onChange={(theme) => choose({ theme })}
        />
        <Choice
          label={words().settings.times}
          names={TIMES}
          text={(name) => words().settings.timeModes[name]}
          value={settings().time}
          onChange={(time) => choose({ time })}
        />
        <button
          type="button"
          class="quiet"
          onClick={() => {
            panel?.hidePopover();
            openHelp();
          }}
        >
          {words().keys.title} <kbd>?</kbd>
        </button>
        <p class="note about">
          <NameInJapanese />
          <span>{words().bar.about}</span>
        </p>
      </div>
    </>
  );
}
