// Builds the page into dist/site: plain files with relative paths, so that any file server can have them in any folder,
// and a service worker that knows them all, so that the page opens again without a server.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import solid from 'vite-plugin-solid';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What the page may do: load its own files. It cannot connect to anything, so nothing that is typed leaves it; the
 * copy that a lease server serves may talk to that server (see src/index.ts).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'none'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const contentSecurityPolicy: Plugin = {
  name: 'kazahana:policy',
  // The development server needs its own socket and inline styles.
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(
        '<meta charset="utf-8" />',
        `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`,
      ),
  },
};

/** The picture for links is for other sites. */
const NOT_OFFLINE = ['share.png'];

/** Tells the service worker which files there are, and by the hash of all when they have changed. */
const precache: Plugin = {
  name: 'kazahana:precache',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const worker = bundle['sw.js'];
    if (worker?.type !== 'chunk') throw new Error('there is no service worker in the build');
    const hash = createHash('sha256');
    const files = ['./'];
    for (const [name, output] of Object.entries(bundle)) {
      if (output === worker) continue;
      hash.update(name).update(output.type === 'chunk' ? output.code : output.source);
      if (name !== 'index.html') files.push(`./${name}`);
    }
    for (const name of readdirSync(here('public'))) {
      if (NOT_OFFLINE.includes(name)) continue;
      hash.update(name).update(readFileSync(here(`public/${name}`)));
      files.push(`./${name}`);
    }
    const list = JSON.stringify({ version: hash.digest('hex').slice(0, 16), files });
    worker.code = worker.code.replace(/(["'`])__PRECACHE__\1/, () => JSON.stringify(list));
  },
};

/** Compressed copies of the files, which a server sends as they are: compressing costs its time once, here. */
const precompress: Plugin = {
  name: 'kazahana:precompress',
  apply: 'build',
  enforce: 'post',
  closeBundle() {
    const site = here('dist/site');
    for (const entry of readdirSync(site, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(?:js|css|svg|webmanifest)$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const body = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(body));
      writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [solid(), contentSecurityPolicy, precache, precompress],
  worker: { format: 'es' },
  build: {
    outDir: here('dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // One style sheet; nothing flashes when a route is loaded later.
    cssCodeSplit: false,
    // It would fetch, which the policy forbids, and every browser that runs the rest has modulepreload.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Of what is bundled: tests/package/licenses.ts checks it.
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: { index: here('index.html'), sw: here('src/app/worker/service-worker.ts') },
      output: {
        // What the first view needs is one file, with all that it imports; other routes add their own.
        codeSplitting: { groups: [{ name: 'page', test: /src[\\/]app[\\/]app\.tsx$/ }] },
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});
