// Runs every snippet and recipe of the README, the docs and the doc comments, and every example: in a project outside the repository
// that has our packages as they are packed, against real servers. Checks that the commands which documents show exist, and that drawn
// pictures are up to date. Arguments are parts of names: `node tests/documents/run.ts docs/testing` runs that page only.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pictures } from '../../scripts/pictures.ts';
import { root, tool } from '../../scripts/run.ts';
import { withServer } from '../package/installed-server.ts';
import { reportSkipped } from '../skipped.ts';
import { checkManifest, runService, serviceExamples } from './examples.ts';
import { checkLanguages } from './languages.ts';
import { createProject, type Project } from './project.ts';
import { findRecipes, follow, isRecipeFile } from './recipes.ts';
import { type Servers, startServers } from './servers.ts';
import { findSnippets, hasExpectation, type Snippet, toModule } from './snippets.ts';

const LIBRARY = 'packages/kazahana/src';
const parts = process.argv.slice(2);
const isWanted = (name: string) => parts.length === 0 || parts.some((part) => name.includes(part));
const failures: string[] = [];
let passed = 0;

const report = (name: string, fault: string) => {
  if (fault === '') passed++;
  else failures.push(`${name}: ${fault}`);
};

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = (...patterns: string[]) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();

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
    const isKnown =
      ['init', 'pkg', 'install', 'ci', 'pack', 'create'].includes(name) || Object.hasOwn(scripts, name);
    report(origin, isKnown ? '' : `${line}: there is no such script`);
  }
}

interface Program {
  readonly origin: string;
  /** Relative to the project. */
  readonly path: string;
  readonly code: string;
}

/** The snippets as programs in the project. */
async function writeSnippets(
  project: Project,
  servers: Servers,
  shown: readonly Snippet[],
): Promise<Program[]> {
  const isCode = (snippet: Snippet) =>
    snippet.language === 'ts' && snippet.source === undefined && !isRecipeFile(snippet);
  const modules = shown
    .filter(isCode)
    .map((snippet) => ({ origin: snippet.origin, code: toModule(snippet) }));
  for (const source of files(`${LIBRARY}/**/*.ts`).filter((path) => !path.endsWith('.test.ts'))) {
    for (const snippet of findSnippets(source, read(source)).filter(hasExpectation)) {
      modules.push({ origin: snippet.origin, code: toModule(snippet, await importsFor(source)) });
    }
  }
  mkdirSync(join(project.folder, 'snippets'));
  const programs: Program[] = [];
  for (const { origin, code } of modules) {
    const path = join('snippets', `${origin.replace(/[^\w]+/g, '-')}.ts`);
    const runnable = await servers.atHome(code);
    if (runnable === undefined) continue;
    writeFileSync(join(project.folder, path), runnable);
    programs.push({ origin, path, code });
  }
  return programs;
}

/** The types of all snippets at once, as a strict project has them. */
async function checkTypes(project: Project): Promise<void> {
  const { compilerOptions: strict } = JSON.parse(read('tsconfig.base.json')) as { compilerOptions: object };
  const { compilerOptions: here } = JSON.parse(read('tsconfig.json')) as { compilerOptions: object };
  const config = { compilerOptions: { ...strict, ...here }, include: ['snippets', '*.ts'] };
  writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify(config));
  const { code, output } = await project.run(tool('tsc'), ['-p', project.folder]);
  report('types of the snippets', code === 0 ? '' : output);
}

async function runProgram(project: Project, { origin, path, code }: Program): Promise<void> {
  // What they write, they write there.
  const finished = await project.run(process.execPath, [path]);
  const printsId = /console\.log\(await \w+\.nextId/.test(code);
  const isFine = finished.code === 0 && (!printsId || /\d{10,}/.test(finished.output));
  report(origin, isFine ? '' : `exit code ${finished.code}\n${finished.output}`);
}

async function runExample(project: Project, servers: Servers, name: string): Promise<void> {
  if (servers.postgres === undefined) return;
  try {
    checkManifest(project, name);
    await runService(project, name, servers.postgres);
    const { code, output } = await project.run('tsc', ['--noEmit'], join(project.folder, name));
    report(`examples/${name}`, code === 0 ? '' : output);
  } catch (error) {
    report(`examples/${name}`, String(error));
  }
}

/** Two at a time, the longest first. */
async function runAll(work: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = [...work];
  const next = async (): Promise<void> => {
    for (let task = queue.shift(); task; task = queue.shift()) await task();
  };
  await Promise.all([next(), next()]);
}

const documents = files('*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*.md').filter(
  (path) => path !== 'CHANGELOG.md',
);
const shown = documents.flatMap((path) => findSnippets(path, read(path)));
for (const snippet of shown) {
  // What is part of a file runs with that file.
  if (snippet.source !== undefined) {
    const isPart = read(snippet.source).includes(snippet.code);
    report(snippet.origin, isPart ? '' : `is not a part of ${snippet.source}`);
  }
  if (snippet.language === 'sh') checkShell(snippet);
}
for (const [name, fault] of checkLanguages(shown.filter((snippet) => !isRecipeFile(snippet))))
  report(name, fault);
for (const [path, picture] of Object.entries(pictures())) {
  report(path, read(path) === picture ? '' : 'is not what `npm run pictures` draws');
}

const listed = read('examples/README.md');
for (const path of files('examples/*.ts', 'examples/*/package.json').filter(
  (file) => !file.includes('node_modules'),
)) {
  const name = path.split('/')[1] ?? '';
  report(`examples/README.md, ${name}`, listed.includes(`[\`${name}\`]`) ? '' : 'does not list it');
}

const project = await createProject();
let skippedIsFine = true;
try {
  await withServer(process.execPath, project.folder, 'sqlite:guides.db', async (leaseServer) => {
    await using servers = await startServers(leaseServer);
    skippedIsFine = reportSkipped(servers.skipped);
    const programs = [
      ...(await writeSnippets(project, servers, shown)),
      ...files('examples/*.ts').map((origin) => ({ origin, path: basename(origin), code: read(origin) })),
    ].filter(({ origin }) => isWanted(origin));
    const recipes = documents.filter(isWanted).flatMap((path) => findRecipes(path, read(path)));
    const services = serviceExamples(project).filter((name) => isWanted(`examples/${name}`));
    await runAll([
      ...services.map((name) => () => runExample(project, servers, name)),
      ...recipes.map((recipe) => async () => {
        report(recipe.origin, await follow(project, recipe, (code) => servers.atHome(code)));
      }),
      () => checkTypes(project),
      ...programs.map((program) => () => runProgram(project, program)),
    ]);
  });
} finally {
  project.remove();
}

for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && skippedIsFine ? 0 : 1;
