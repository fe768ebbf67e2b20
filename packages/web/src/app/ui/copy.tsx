// Copying and saving: always exactly the text that is shown.
import { createSignal, onCleanup } from 'solid-js';
import { words } from '../i18n/index.js';
import { environment } from '../state/environment.js';
import { announce } from './announce.jsx';

const SHOWN_MS = 1500;

/** Pages without a secure context have no clipboard; a selection can be copied there still. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

export async function copyText(text: string): Promise<boolean> {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copyBySelection(text);
  }
  announce(isCopied ? words().copied : words().copyFailed);
  return isCopied;
}

export function saveText(text: string, name: string, type: string): void {
  saveBlob(new Blob([text], { type }), name);
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

export function CopyButton(props: {
  text: () => string;
  label?: string;
  class?: string;
  name?: string;
  /** Copies instead, where more has to happen. */
  onCopy?: () => Promise<boolean>;
}) {
  const [isDone, setIsDone] = createSignal(false);
  const gone = new AbortController();
  onCleanup(() => gone.abort('gone'));
  const copy = async () => {
    if (!(await (props.onCopy ? props.onCopy() : copyText(props.text())))) return;
    setIsDone(true);
    await environment.sleep(SHOWN_MS, { signal: gone.signal });
    setIsDone(false);
  };
  return (
    <button type="button" class={props.class ?? 'quiet'} onClick={copy} aria-label={props.name}>
      {isDone() ? words().copied : (props.label ?? words().copy)}
    </button>
  );
}
