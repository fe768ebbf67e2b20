// The mark of the page, and its name in Japanese, both drawn: no font of the visitor's machine is needed.
import { For } from 'solid-js';

const ARMS = [0, 60, 120, 180, 240, 300];

export function Flake() {
  return (
    <svg class="flake" viewBox="0 0 64 64" aria-hidden="true">
      <For each={ARMS}>
        {(angle) => (
          <path transform={`rotate(${angle} 32 32)`} d="M32 32V4M32 14l-7-6M32 14l7-6M32 22l-6-5M32 22l6-5" />
        )}
      </For>
    </svg>
  );
}

/** 風花, stroke by stroke. */
const STROKES = [
  // 風: the frame, then the insect in it.
  'M5 4C5 12 5 18 2 22',
  'M5 4H18C18 12 18 18 22 21.5V18',
  'M14.5 7L8 8.6',
  'M8.2 11.4V15.6H15V11.4Z',
  'M11.6 8V18.8',
  'M7.6 19.4L15.4 18.4',
  'M14 16.8L16 20',
  // 花: grass above, then the person who changes.
  'M28 6H46',
  'M33 3V9',
  'M41 3V9',
  'M33.4 11C32 14 30.2 16.4 28 18.2',
  'M31.6 14.4V22',
  'M44.4 12.4L38 16.2',
  'M38 11V20.4C38 21.6 38.6 22 39.8 22H44.2C45.4 22 46 21.6 46 20.4V18.6',
];

export function NameInJapanese() {
  return (
    <svg class="kanji" viewBox="0 0 48 25" role="img" aria-label="風花">
      <path d={STROKES.join('')} />
    </svg>
  );
}
