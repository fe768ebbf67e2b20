// The keys of the page, and the switch that turns single keys off (WCAG 2.1.4).
import { For } from 'solid-js';
import { words } from '../i18n/index.js';
import { choose, settings } from '../state/settings.js';

let dialog: HTMLDialogElement | undefined;

export function openHelp(): void {
  if (!dialog?.open) dialog?.showModal();
}

/** Browsers move the focus out of a closed dialog with the next frame; keys that come before then are the page's. */
function releaseFocus(): void {
  if (dialog?.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
}

export function Help() {
  const rows = () =>
    [
      ['/', words().keys.box],
      ['Enter', words().keys.enter],
      ['g', words().keys.generate],
      ['c', words().keys.copy],
      ['Esc', words().keys.back],
      ['← ↑ ↓ →', words().keys.arrows],
      ['?', words().keys.help],
    ] as const;
  return (
    <dialog ref={(element) => (dialog = element)} aria-labelledby="help-title" onClose={releaseFocus}>
      <h2 id="help-title">{words().keys.title}</h2>
      <dl class="keys">
        <For each={rows()}>
          {([key, what]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          )}
        </For>
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={settings().singleKeys}
          onChange={(event) => choose({ singleKeys: event.currentTarget.checked })}
        />
        {words().keys.enabled}
      </label>
      <form method="dialog">
        <button type="submit" class="main">
          {words().close}
        </button>
      </form>
    </dialog>
  );
}
