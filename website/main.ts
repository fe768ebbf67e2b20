// `npm run docs`: the documentation site on this machine, which follows edits of docs/.
// `npm run docs -- --build [--base /folder/]`: the site as files in website/dist, with the page as its playground, for a
// file server that shows it at the root, or in that folder. Without a server, index.html can be opened where it lies.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.ts';
import { root } from '../scripts/run.ts';

const website = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({
  options: {
    build: { type: 'boolean' },
    base: { type: 'string', default: '/' },
    port: { type: 'string', default: '7421' },
  },
});
const { base } = values;
if (!/^\/(.*\/)?$/.test(base)) throw new RangeError(`--base must begin and end with a slash, got ${base}`);

const bootstrap: { install(folder: string, what: string): void } = await import(
  new URL('../scripts/bootstrap.mjs', import.meta.url).href
);
bootstrap.install(website, 'the documentation site');
await build();

// These need what was installed just now.
const { followChanges, writePages } = await import('./pages.ts');
const vitepress = await import('vitepress');
await writePages();
if (values.build) {
  await vitepress.build(website, { base });
  cpSync(join(root, 'packages/web/dist/site'), join(website, 'dist/playground'), { recursive: true });
  console.log(
    `The site is in website/dist, for a file server that shows it at ${base}, or to be opened from there (index.html)`,
  );
} else {
  followChanges();
  const server = await vitepress.createServer(website, { port: Number(values.port), host: '127.0.0.1' });
  await server.listen();
  server.printUrls();
}
