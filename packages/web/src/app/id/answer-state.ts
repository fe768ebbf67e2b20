// The answer to the subject as signals: the reading in view, its drawing, and the bits that are lit up.
import type { Facts, Reading, ReadingField } from 'kazahana/inspect';
import { type Accessor, createMemo, createRoot, createSignal } from 'solid-js';
import type { Answer } from '../state/answer.js';
import { environment } from '../state/environment.js';
import { flip } from '../state/flip.js';
import { recogniser } from '../state/recogniser.js';
import { showFlipped, subject, tail } from '../state/subject.js';
import type { BitRange } from '../ui/bit-digits.js';
import { withSession } from './session-tail.js';

/** A value that follows others for as long as the page lives. */
function always<Value>(work: () => Value): Accessor<Value> {
  return createRoot(() => createMemo(work));
}

export const [lit, setLit] = createSignal<BitRange>();

/** Undefined until the recogniser is there. */
export const answer = always((): Answer | undefined => {
  const { text, as } = subject();
  return text === '' ? undefined : recogniser()?.answerTo(text, as, environment.now());
});

export const reading = always((): Reading | undefined => {
  const found = answer();
  return found?.kind === 'one' ? found.readings[0] : undefined;
});

/** What the bits are drawn as; also of a text that is nearly an ID. */
const drawnReading = (): Reading | undefined => {
  const found = answer();
  return found?.kind === 'none' ? found.inspection.readings[0] : reading();
};

/** What is drawn: bits, and the format that they are drawn as. */
export interface Drawing extends Pick<Facts, 'bits' | 'value'> {
  readonly fields: readonly ReadingField[];
  /** For bits that can be flipped; undefined when the format cannot be written from its bits. */
  readonly format: string | undefined;
}

/** A flipped bit may make a text that is read as something else, or not at all; the drawing stays what it was. */
const [kept, setKept] = createSignal<{ readonly text: string; readonly drawing: Drawing }>();

function drawingOf(facts: Facts, format: string): Drawing {
  const canFlip = recogniser()?.factsOf(format, facts.value, environment.now()) !== undefined;
  const { bits, value, fields } = facts;
  return { bits, value, fields, format: canFlip ? format : undefined };
}

export const drawing = always((): Drawing | undefined => {
  const flipped = kept();
  const { text, origin } = subject();
  if (origin === 'flipped' && flipped?.text === text) return flipped.drawing;
  const read = drawnReading();
  if (!read || read.bits === 0) return undefined;
  const drawn = drawingOf(read, read.format);
  const hasSession = origin === 'fresh' && read.format === 'uuid-v7' && tail() === 'session';
  return hasSession ? { ...drawn, fields: withSession(drawn.fields) } : drawn;
});

export function flipBit(index: number): void {
  const drawn = drawing();
  const tools = recogniser();
  if (drawn?.format === undefined || !tools) return;
  const value = flip(drawn.value, drawn.bits, index);
  const facts = tools.factsOf(drawn.format, value, environment.now());
  if (!facts) return;
  setKept({ text: facts.text, drawing: drawingOf(facts, drawn.format) });
  setLit(undefined);
  showFlipped(facts.text, drawn.format);
}
