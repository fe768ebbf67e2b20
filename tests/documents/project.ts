// A stranger's project, outside the repository: our packages as they are packed, what the examples and guides use from the registry
// (examples/package-lock.json), and the examples.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { pack, packageFolders } from '../../scripts/pack.ts';
import { type Finished, root, run } from '../../scripts/run.ts';

const examples = join(root, 'examples');
/** Ends a program that hangs. */
const TIMEOUT_MS = 60_000;
/** What an example makes when it runs stays behind. */
const MADE = ['node_modules', 'dist', 'generated'];

async function installExamples(): Promise<void> {
  const bootstrap: { install(folder: string, what: string): void } = await import(
    new URL('../../scripts/bootstrap.mjs', import.meta.url).href
  );
  bootstrap.install(examples, 'what the examples use');
}

async function runOrThrow(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, output } = await run(command, args, {}, cwd);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
}

/** Hard links where that is possible: there are tens of thousands of files. */
async function copyModules(folder: string): Promise<void> {
  const [from, to] = [join(examples, 'node_modules'), join(folder, 'node_modules')];
  const { code } = await run('cp', ['-al', from, to]);
  if (code !== 0) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

export class Project {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What the project's programs see: its own commands first, and the Node that runs this. */
  readonly environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    PATH: [join(this.folder, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(
      delimiter,
    ),
    // `prisma generate` needs no engine, but looks for one to download.
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
  });

  run(command: string, args: readonly string[], cwd: string = this.folder): Promise<Finished> {
    return run(command, args, this.environment(), cwd, TIMEOUT_MS);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function createProject(): Promise<Project> {
  await installExamples();
  const folder = mkdtempSync(join(tmpdir(), 'kazahana-project-'));
  const destination = join(folder, '.tarballs');
  const packing = Promise.all(packageFolders().map((name) => pack(name, destination)));
  await copyModules(folder);
  cpSync(examples, folder, {
    recursive: true,
    filter: (path) =>
      !(dirname(path) === examples || dirname(dirname(path)) === examples) || !MADE.includes(basename(path)),
  });
  const tarballs = (await packing).map(({ path }) => path);
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel=error'];
  await runOrThrow('npm', ['install', ...tarballs, ...flags], folder);
  return new Project(folder);
}
