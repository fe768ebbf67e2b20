// Puts the pages of the site into one folder: those of docs/ as they are, and the API reference.
import { cpSync, existsSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeApi } from './api.ts';

const website = fileURLToPath(new URL('.', import.meta.url));
const docs = join(website, '..', 'docs');

/** What VitePress reads. It must stand beside VitePress's own modules, and git ignores it. */
export const PAGES = join(website, '.pages');

export async function writePages(): Promise<void> {
  rmSync(PAGES, { recursive: true, force: true });
  cpSync(docs, PAGES, { recursive: true });
  await writeApi(join(PAGES, 'api'));
}

/** Copies each page again when it changes, for the server that shows edits as they are made. */
export function followChanges(): void {
  watch(docs, { recursive: true }, (_event, name) => {
    if (name === null) return;
    const [from, to] = [join(docs, name), join(PAGES, name)];
    if (existsSync(from)) cpSync(from, to, { recursive: true });
    else rmSync(to, { recursive: true, force: true });
  });
}
