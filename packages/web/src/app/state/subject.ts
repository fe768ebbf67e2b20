// The ID that the home route is about: a fresh one, or what the reader gave. The address and the title follow it.
import { batch, createSignal } from 'solid-js';
import { copyText } from '../ui/copy.jsx';
import type { Address } from './address.js';
import { generate, generateUuids, isUuidKind, type Kind, offeredKinds, type Tail } from './generating.js';
import { remember } from './history-state.js';
import { go, note } from './location.js';
import { back, EMPTY, type Subject, step } from './trail.js';

const [trail, setTrail] = createSignal(EMPTY);
const [kind, setKind] = createSignal<Kind>('v7');
const [tail, setTail] = createSignal<Tail>('random');
const [problem, setProblem] = createSignal('');

export { kind, problem, tail };

export const subject = (): Subject => trail().current;
const canGoBack = (): boolean => trail().past.length > 0;

export function subjectAddress({ text, as }: Subject = subject()): Address {
  return { part: 'id', subject: text, values: as === undefined ? {} : { as } };
}

/** Changes the subject; `navigate` puts the address right, as a step of its own or not. */
function show(next: Subject, navigate: (to: Address) => void): void {
  batch(() => {
    setTrail(step(trail(), next));
    navigate(subjectAddress(next));
  });
}

/** Puts a text in view that came from outside: pasted, dropped, or chosen from a table. */
export const showGiven = (text: string, as?: string): void =>
  show({ text, origin: 'given', ...(as !== undefined && { as }) }, go);
export const showTyped = (text: string): void => show({ text, origin: 'typed' }, note);
export const showFlipped = (text: string, as: string): void => show({ text, origin: 'flipped', as }, note);
/** Reads the same text in another way. */
export const readAs = (as: string): void => show({ ...subject(), as }, note);

/** Makes another ID of the chosen kind. */
export async function makeFresh(): Promise<string | undefined> {
  const wanted = kind();
  try {
    const [text = ''] = await generate(wanted, 1, tail());
    setProblem('');
    // What was just made is known, and need not be guessed.
    show({ text, origin: 'fresh', ...(!isUuidKind(wanted) && { as: 'kazahana-id' }) }, note);
    if (isUuidKind(wanted)) remember([text]);
    return text;
  } catch (error) {
    setProblem(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

export async function makeAndCopy(): Promise<void> {
  const text = await makeFresh();
  if (text !== undefined) await copyText(text);
}

export async function copySubject(): Promise<boolean> {
  const { text, origin } = subject();
  if (origin === 'fresh' && isUuidKind(kind())) remember([text]);
  return copyText(text);
}

export function chooseKind(wanted: Kind): void {
  setKind(wanted);
  void makeFresh();
}

export function chooseTail(wanted: Tail): void {
  setTail(wanted);
  void makeFresh();
}

/** An ID that nothing remembers: loading the page must not fill the history. */
function showFirst(): void {
  const wanted = kind();
  if (!isUuidKind(wanted)) {
    void makeFresh();
    return;
  }
  const [text = ''] = generateUuids(wanted, 1, tail());
  show({ text, origin: 'fresh' }, note);
}

export function clearSubject(): void {
  if (subject().origin !== 'fresh') showFirst();
}

/** One step back: to what was in view before a paste, before typing, before a flipped bit. */
export function goBack(): void {
  if (!canGoBack()) return;
  batch(() => {
    setTrail(back(trail()));
    note(subjectAddress());
  });
}

export function undoFlip(): void {
  if (subject().origin === 'flipped') goBack();
}

/** What the address asks of the home route: at the start, and when the browser goes back or follows a link. */
export function followSubject({ part, subject: text, values }: Address): void {
  if (part !== 'id') return;
  const wanted = offeredKinds().find((name) => name === values.kind);
  if (wanted) setKind(wanted);
  if (text === '') showFirst();
  else if (text !== subject().text || values.as !== subject().as) {
    const as = values.as;
    setTrail(step(trail(), { text, origin: 'given', ...(as !== undefined && { as }) }));
  }
}
