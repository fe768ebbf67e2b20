// The keys of the page, and the switch that turns them off (WCAG 2.1.4).
import { For } from 'solid-js';
import { words } from '../i18n/index.js';
import { choose, settings } from '../state/settings.js';

let dialog: HTMLDialogElement | undefined;

export function openHelp(): void {
  dialog?.showModal();
}

export function Help() {
  const rows = () =>
    [
      ['/', words().keys.box],
      ['g', words().keys.generate],
      ['c', words().keys.copy],
      ['Enter', words().keys.enter],
      ['← ↑ ↓ →', words().keys.arrows],
      ['?', words().keys.help],
    ] as const;
  return (
    <dialog ref={(element) => (dialog = element)} aria-labelledby="help-title">
      <h2 id="help-title">{words().help}</h2>
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
