// The texts that people paste: each is answered inside the first screen, on a laptop and on a phone, without scrolling.
import { describe, expect, it } from 'vitest';
import { CORPUS } from '../../packages/kazahana/src/inspect/corpus.ts';
import { openPage } from './page.ts';
import { servedPage } from './served.ts';

const server = servedPage();

const SAMPLES = CORPUS.filter(({ text }) => text.trim() !== '').map(({ text, first, certainty }) => ({
  text,
  first,
  certainty,
}));

interface Seen {
  readonly text: string;
  readonly first: string | null;
  /** Of the sentence, in the window. */
  readonly top: number;
  readonly bottom: number;
  readonly format: string | null;
  readonly says: string;
}

describe.each([
  ['a laptop', 1280, 720],
  ['a phone', 390, 844],
] as const)('on %s', (_, width, height) => {
  it(`the sentence for each of ${SAMPLES.length} texts is in view, and is the one expected`, async () => {
    await using opened = await openPage(server.url, { viewport: { width, height } });
    const seen = await opened.page.evaluate(async (samples) => {
      const results: Seen[] = [];
      const turn = () => new Promise((resolve) => setTimeout(resolve));
      for (const { text, first } of samples) {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', text);
        document.body.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
        await turn();
        // Three IDs and more, and long texts, are read as a log.
        const says = document.querySelector('[data-testid=says], [data-testid=summary], main .note');
        const box = says?.getBoundingClientRect();
        const answer = document.querySelector('[data-testid=answer]');
        results.push({
          text,
          first,
          top: box?.top ?? -1,
          bottom: box?.bottom ?? -1,
          format: answer?.getAttribute('data-format') ?? null,
          says: says?.textContent ?? '',
        });
        if (scrollY !== 0) throw new Error(`${text} scrolled the page`);
      }
      return results;
    }, SAMPLES);
    const nav = width < 560 ? 52 : 0;
    for (const { text, first, top, bottom, format, says } of seen) {
      expect(says, text).not.toBe('');
      expect(top, text).toBeGreaterThanOrEqual(56);
      expect(bottom, text).toBeLessThanOrEqual(height - nav);
      // A typing error in a UUID is shown as one, whatever else the text fits; no other text is.
      const isUnlikely = SAMPLES.find((sample) => sample.text === text)?.certainty === 'unlikely';
      if (format !== 'none' || !isUnlikely) expect(format === 'none' ? null : format, text).toBe(first);
    }
    expect(seen.filter(({ format }) => format !== null && format !== 'none').length).toBeGreaterThan(150);
    expect(opened.errors).toEqual([]);
  });
});
