// Makes the built site work from a folder, without a server. Browsers load no modules from files, so VitePress's script does not run
// there: its pages are complete without it, and page.js does the rest. On a server none of this is loaded.
import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SEARCH } from '../search-options.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const FOLDER = 'from-a-folder';

const ASSET = /(<link rel="preload stylesheet" href="|<img [^>]*?src=")([^"]*)/g;

/** A page whose style and pictures are found from where it lies, and that loads page.js where it is a file. */
export function openFromFolder(html: string, page: string, base: string): string {
  const up = '../'.repeat(page.split('/').length - 1) || './';
  const script = `
    if (location.protocol === 'file:') {
      const script = document.createElement('script');
      Object.assign(script.dataset, ${JSON.stringify({ base, up })});
      script.src = '${up}${FOLDER}/page.js';
      document.head.append(script);
    }`;
  return html
    .replace(ASSET, (whole, before: string, path: string) =>
      path.startsWith(base) ? before + up + path.slice(base.length) : whole,
    )
    .replace('</head>', () => `<script>${script}</script></head>`);
}

/** VitePress's own settings of its search, which it does not export. */
const FIELDS = `fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles']`;
const WEIGHTS = 'fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }';

/** Writes page.js beside the built pages, and the index of the search as a script, since files cannot be fetched either. */
export async function writeFolderScripts(dist: string): Promise<void> {
  const [index] = globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: dist });
  if (index === undefined) throw new Error('VitePress wrote no index of its search');
  const { default: json }: { default: string } = await import(pathToFileURL(join(dist, index)).href);
  const { processTerm, tokenize } = SEARCH.options;
  const { boostDocument } = SEARCH.searchOptions;
  const options = `{ ${FIELDS}, processTerm: ${processTerm}, tokenize: ${tokenize}, searchOptions: { ${WEIGHTS}, boostDocument: ${boostDocument} } }`;
  mkdirSync(join(dist, FOLDER), { recursive: true });
  writeFileSync(
    join(dist, FOLDER, 'search.js'),
    `siteSearch = MiniSearch.loadJSON(${JSON.stringify(json)}, ${options});\n`,
  );
  copyFileSync(join(here, 'page.js'), join(dist, FOLDER, 'page.js'));
  copyFileSync(
    join(here, '..', 'node_modules', 'minisearch', 'dist', 'umd', 'index.js'),
    join(dist, FOLDER, 'minisearch.js'),
  );
}
