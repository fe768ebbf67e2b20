// What a person chose for the page, kept in this browser; what cannot be read is as if nothing had been chosen.
import { createSignal } from 'solid-js';
import { isLanguage, type Language, preferredLanguage } from '../i18n/index.js';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const TIMES = ['utc', 'local', 'relative'] as const;
export type Theme = (typeof THEMES)[number];
export type TimeMode = (typeof TIMES)[number];

interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly time: TimeMode;
  /** WCAG 2.1.4: keys without a modifier can be switched off. */
  readonly singleKeys: boolean;
}

const KEY = 'kazahana.settings';

function oneOf<Name extends string>(names: readonly Name[], value: unknown, otherwise: Name): Name {
  return names.find((name) => name === value) ?? otherwise;
}

function load(): Settings {
  let stored: Record<string, unknown> = {};
  try {
    stored = Object(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    // Broken, or not allowed: the defaults do.
  }
  return {
    language: isLanguage(stored.language) ? stored.language : preferredLanguage(navigator.languages),
    theme: oneOf(THEMES, stored.theme, 'auto'),
    time: oneOf(TIMES, stored.time, 'utc'),
    singleKeys: stored.singleKeys !== false,
  };
}

const [settings, setSettings] = createSignal<Settings>(load());

export { settings };

export function choose(chosen: Partial<Settings>): void {
  const changed = { ...settings(), ...chosen };
  setSettings(changed);
  try {
    localStorage.setItem(KEY, JSON.stringify(changed));
  } catch {
    // It holds for this tab.
  }
}
