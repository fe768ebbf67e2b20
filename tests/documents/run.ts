// Runs every snippet of the README, the docs and the doc comments, and every example; checks that the
// commands which documents show exist, and that drawn pictures are up to date.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pictures } from '../../scripts/pictures.ts';
import { root, run, tool } from '../../scripts/run.ts';
import { startLeaseServer } from '../cli/lease-server.ts';
import { findSnippets, hasExpectation, needsServer, type Snippet, toModule } from './snippets.ts';

const LIBRARY = 'packages/kazahana/src';
const folder = join(root, 'tests/.work/snippets');
const failures: string[] = [];
let passed = 0;

const report = (name: string, fault: string) => {
  if (fault === '') passed++;
  else failures.push(`${name}: ${fault}`);
};

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = (...patterns: string[]) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();

/** The tests that run or compare what is in another language, by document; of each, the test names the document. */
const CHECKED_BY: Readonly<Record<string, readonly string[]>> = {
  'tests/cli/docs.test.ts': [
    'console docs/cli.md',
    'console docs/recipes.md',
    'console docs/start-server.md',
    'console packages/cli/README.md',
  ],
  'tests/cli/session.ts': ['text docs/terminal-session.md'],
  'tests/protocol-page.test.ts': ['json docs/protocol.md', 'http docs/protocol.md'],
  'tests/operations-page.ts': ['json docs/configuration.md', 'json docs/scale.md'],
  'tests/metrics.test.ts': ['yaml docs/monitoring.md'],
  'tests/kubernetes.test.ts': ['yaml docs/fixed-machine-id.md'],
};
/** Pictures made of letters, and code of other programs. */
const NOT_RUN = ['text docs/estelle.md', 'js docs/testing.md'];

function checkLanguages(snippets: readonly Snippet[]): void {
  for (const [test, pieces] of Object.entries(CHECKED_BY)) {
    const forgotten = pieces.filter((piece) => {
      const [, name = ''] = /([\w-]+)\.md$/.exec(piece) ?? [];
      return !read(test).includes(name);
    });
    report(test, forgotten.length === 0 ? '' : `does not name ${forgotten.join(', ')}`);
  }
  const known = [...Object.values(CHECKED_BY).flat(), ...NOT_RUN];
  for (const { origin, language } of snippets) {
    if (language === '' || language === 'ts' || language === 'sh') continue;
    const isRun = known.includes(`${language} ${origin.replace(/:\d+$/, '')}`);
    report(origin, isRun ? '' : `no test runs or compares this piece of ${language}`);
  }
}

/** Where documents say that a server listens. */
const DOCUMENTED_URL = 'http://127.0.0.1:7420';

/** Doc comments speak of their own entry point; its names need no import there. */
async function importsFor(source: string): Promise<string> {
  const room = dirname(source).slice(LIBRARY.length + 1);
  const manifest = JSON.parse(read('packages/kazahana/package.json')) as { exports: Record<string, unknown> };
  const entry = Object.hasOwn(manifest.exports, `./${room}`) ? `kazahana/${room}` : 'kazahana';
  const names = Object.keys((await import(entry)) as object);
  return `import { ${names.join(', ')} } from '${entry}';`;
}

function checkShell({ origin, code }: Snippet): void {
  const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
  for (const line of code.split('\n').filter((text) => text.startsWith('npm '))) {
    const [, verb = '', script = ''] = line.split(/\s+/);
    const name = verb === 'run' ? script : verb;
    const isKnown = ['install', 'ci', 'pack', 'create'].includes(name) || Object.hasOwn(scripts, name);
    report(origin, isKnown ? '' : `${line}: there is no such script`);
  }
}

const documents = files('*.md', 'docs/**/*.md', 'packages/*/README.md').filter(
  (path) => path !== 'CHANGELOG.md',
);
const shown = documents.flatMap((path) => findSnippets(path, read(path)));
checkLanguages(shown);
const modules: { origin: string; code: string }[] = [];
for (const snippet of shown) {
  // What is part of a file runs with that file.
  if (snippet.source !== undefined) {
    const isPart = read(snippet.source).includes(snippet.code);
    report(snippet.origin, isPart ? '' : `is not a part of ${snippet.source}`);
  }
  // Those that need a server run where there is one: tests/stores/documents.test.ts.
  else if (snippet.language === 'ts' && !needsServer(snippet))
    modules.push({ origin: snippet.origin, code: toModule(snippet) });
  if (snippet.language === 'sh') checkShell(snippet);
}
for (const source of files(`${LIBRARY}/**/*.ts`).filter((path) => !path.endsWith('.test.ts'))) {
  for (const snippet of findSnippets(source, read(source)).filter(hasExpectation)) {
    modules.push({ origin: snippet.origin, code: toModule(snippet, await importsFor(source)) });
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const server = await startLeaseServer();
const written = modules.map(({ origin, code }) => {
  const path = join(folder, `${origin.replace(/[^\w]+/g, '-')}.ts`);
  writeFileSync(path, code.replaceAll(DOCUMENTED_URL, server.url));
  return { origin, path };
});

const types = await run(tool('tsc'), ['-p', 'tests/documents/tsconfig.json']);
report('types of the snippets', types.code === 0 ? '' : types.output);

const programs = [
  ...written,
  ...files('examples/*.ts').map((path) => ({ origin: path, path: join(root, path) })),
];
const queue = [...programs];
await Promise.all(
  [1, 2].map(async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      // What they write, they write here.
      const { code, output } = await run(process.execPath, [next.path], {}, folder);
      report(next.origin, code === 0 ? '' : output);
    }
  }),
);

await server.dispose();

for (const [path, picture] of Object.entries(pictures())) {
  report(path, read(path) === picture ? '' : 'is not what `npm run pictures` draws');
}

for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
