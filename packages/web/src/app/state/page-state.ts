// What more than one room looks at: the box, the IDs that were made, and the ID in view with its drawing.
import type { OldReading as Reading, ReadingName } from 'kazahana/inspect';
import { type Accessor, batch, createMemo, createRoot, createSignal } from 'solid-js';
import { type Drawing, drawAs, drawMalformed, flip, textAs } from './drawing.js';
import { environment } from './environment.js';
import { inspect } from './inspection.js';

/** A value that follows others for as long as the page lives. */
function always<Value>(work: () => Value): Accessor<Value> {
  return createRoot(() => createMemo(work));
}

export const [box, setBox] = createSignal('');
export const [made, setMade] = createSignal<readonly string[]>([]);
/** The text of the batch room; the box hands over what is too much for it. */
export const [batchText, setBatchText] = createSignal('');
/** Which reading was picked, of an ID that has several. */
export const [picked, setPicked] = createSignal<ReadingName | undefined>();
/** The bits that are lit up, from one index to before another. */
export const [lit, setLit] = createSignal<readonly [from: number, to: number] | undefined>();

/** What is inspected: the box, or the newest ID while the box is empty. */
export const subject = always(() => (box().trim() === '' ? (made()[0] ?? '') : box()));
export const inspection = always(() => inspect(subject(), environment.now()));

/** The reading in view, if the text has any. */
export const reading = always((): Reading | undefined => {
  const found = inspection();
  const readings = found.kind === 'id' ? found.readings : found.kind === 'many' ? found.first : [];
  return readings.find(({ as }) => as === picked()) ?? readings[0];
});

/** A flipped bit may make an ID that is read as something else, or not at all; the picture stays what it was. */
const [kept, setKept] = createSignal<{
  readonly text: string;
  readonly as: ReadingName;
  readonly value: bigint;
}>();

export const drawing = always((): Drawing | undefined => {
  const flipped = kept();
  if (flipped && flipped.text === subject()) return drawAs(flipped.as, flipped.value);
  const read = reading();
  if (read) return drawAs(read.as, read.value);
  const found = inspection();
  return found.kind === 'broken' ? drawMalformed(found.text) : undefined;
});

export function flipBit(index: number): void {
  const drawn = drawing();
  if (!drawn) return;
  const { as, bits } = drawn;
  const value = flip(drawn.value, bits, index);
  const text = textAs(as, value);
  batch(() => {
    setKept({ text, as, value });
    setPicked(as);
    setBox(text);
  });
}

/** Puts an ID into the box, as a person would. */
export function show(text: string): void {
  batch(() => {
    setPicked(undefined);
    setLit(undefined);
    setBox(text);
  });
}
