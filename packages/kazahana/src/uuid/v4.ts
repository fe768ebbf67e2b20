// UUID v4: 122 random bits.
import { drawWords, randomWords } from '../random.js';
import { UuidPage, writeUuid } from './page.js';

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
      const a = randomWords[at] as number;
      const b = ((randomWords[at + 1] as number) & 0xffff0fff) | 0x4000;
      writeUuid(id, a, b, randomWords[at + 2] as number, randomWords[at + 3] as number);
    }
    page.render(size);
  }
  return page.take();
}
