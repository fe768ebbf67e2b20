// UUID v4: 122 random bits.
import { drawWords, randomWords } from '../random.js';
import { fourDigits, UuidPage, writeUuid } from './page.js';

const page = new UuidPage();

/**
 * A random UUID.
 *
 * ```ts
 * generateV4(); // '9b2f4c5e-0d1a-4f6b-8c3d-2e1f0a9b8c7d'
 * ```
 */
export function generateV4(): string {
  if (page.isEmpty) {
    const { size } = page;
    const start = drawWords(4 * size);
    for (let id = 0; id < size; id++) {
      const at = start + 4 * id;
      const first = randomWords[at] as number;
      const second = randomWords[at + 1] as number;
      writeUuid(
        id,
        fourDigits(first >> 16),
        fourDigits(first),
        fourDigits(second >> 16),
        (second & 0xfff) | 0x4000,
        randomWords[at + 2] as number,
        randomWords[at + 3] as number,
      );
    }
    page.render(size);
  }
  return page.take();
}
