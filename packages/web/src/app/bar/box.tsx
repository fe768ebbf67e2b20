// The box that takes any ID. What is pasted or dropped anywhere on the page goes through here as well.
import { createSignal, onCleanup, onMount, Show } from 'solid-js';
import { words } from '../i18n/index.js';
import { give, type as typeText } from '../state/given-text.js';
import { clearSubject, goBack, subject } from '../state/subject.js';

/** Controls that take a paste themselves. */
const TAKES_TEXT = 'input:not([type=radio], [type=checkbox], [type=range]), textarea';

let input: HTMLInputElement | undefined;

export function focusBox(): void {
  input?.focus();
  input?.select();
}

function takeFiles(files: FileList | undefined): boolean {
  const [file] = files ?? [];
  if (!file) return false;
  void file.text().then(give);
  return true;
}

/** Pastes and drops that no other control wants. */
function listenToPage(): () => void {
  const onPaste = (event: ClipboardEvent) => {
    const { target, clipboardData } = event;
    if (target !== input && target instanceof Element && target.closest(TAKES_TEXT)) return;
    const text = clipboardData?.getData('text') ?? '';
    if (!takeFiles(clipboardData?.files) && text.trim() === '') return;
    event.preventDefault();
    if (text.trim() !== '') give(text);
  };
  const onDragOver = (event: DragEvent) => event.preventDefault();
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const text = event.dataTransfer?.getData('text') ?? '';
    if (!takeFiles(event.dataTransfer?.files) && text.trim() !== '') give(text);
  };
  document.addEventListener('paste', onPaste);
  document.addEventListener('dragover', onDragOver);
  document.addEventListener('drop', onDrop);
  return () => {
    document.removeEventListener('paste', onPaste);
    document.removeEventListener('dragover', onDragOver);
    document.removeEventListener('drop', onDrop);
  };
}

export function Box() {
  const [isFocused, setIsFocused] = createSignal(false);
  onMount(() => onCleanup(listenToPage()));
  /** A fresh ID is not in the box: the box is for what comes from outside. */
  const text = () => (subject().origin === 'fresh' ? '' : subject().text.replace(/\s+/g, ' '));
  return (
    <div class="box">
      <input
        ref={(element) => (input = element)}
        id="box"
        type="text"
        aria-label={words().bar.box}
        placeholder={words().bar.placeholder}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        enterkeyhint="go"
        value={text()}
        onInput={(event) => typeText(event.currentTarget.value)}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Enter') give(event.currentTarget.value);
          if (event.key === 'Escape') {
            goBack();
            event.currentTarget.blur();
          }
        }}
      />
      <Show when={text() === '' && !isFocused()}>
        <kbd>/</kbd>
      </Show>
      <Show when={text() !== ''}>
        <button type="button" class="clear" aria-label={words().bar.clear} onClick={clearSubject}>
          ×
        </button>
      </Show>
    </div>
  );
}
