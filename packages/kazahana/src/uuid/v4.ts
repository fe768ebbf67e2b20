// UUID v4: 122 random bits.
import { pooledRandom } from '../random.js';
import { PAGE_SIZE, stampVariant, UuidPage } from './page.js';

let page: UuidPage | undefined;
let count = 1;

/**
 * A random UUID.
 *
 * ```ts
 * generateV4(); // '9b2f4c5e-0d1a-4f6b-8c3d-2e1f0a9b8c7d'
 * ```
 */
export function generateV4(): string {
  page ??= new UuidPage();
  if (page.isEmpty) {
    const { bytes, view } = page;
    pooledRandom(bytes, 16 * count);
    for (let at = 0; at < 16 * count; at += 16) {
      view.setUint8(at + 6, (view.getUint8(at + 6) & 0x0f) | 0x40);
      stampVariant(view, at);
    }
    page.render(count);
    // A program that makes a handful of IDs should not pay for a page of them.
    count = Math.min(count * 2, PAGE_SIZE);
  }
  return page.take();
}
