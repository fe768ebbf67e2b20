// The API reference: one folder of pages an entry point, made by typedoc from the types of the sources.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const website = fileURLToPath(new URL('.', import.meta.url));
const packages = join(website, '..', 'packages');

/** Packages that a program imports; the command and the page are run, not imported. */
const IMPORTED = ['kazahana', 'sqlite', 'redis', 'postgres', 'etcd', 'server'];

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

interface EntryPoint {
  /** What a program imports: `kazahana/uuid`. */
  readonly name: string;
  readonly source: string;
}

/** The entry points of all packages, as their manifests state them. */
export function entryPoints(): EntryPoint[] {
  return IMPORTED.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8')) as Manifest;
    return Object.entries(manifest.exports).flatMap(([path, target]) => {
      if (typeof target === 'string') return [];
      const source = target.types.replace(/^\.\/dist\//, 'src/').replace(/\.d\.ts$/, '.ts');
      return [{ name: manifest.name + path.slice(1), source: join(packages, folder, source) }];
    });
  });
}

/** A source file as typedoc names it. */
const fileName = (source: string) =>
  relative(packages, source)
    .split(sep)
    .join('/')
    .replace(/(\/index)?\.ts$/, '');

/** Writes the pages of every entry point; packages must be built, since they import each other. */
export async function writeApi(folder: string): Promise<void> {
  const { Application } = await import('typedoc');
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entryPoints().map(({ source }) => source),
    tsconfig: join(website, 'tsconfig.api.json'),
    name: 'API',
    readme: 'none',
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    disableSources: true,
    githubPages: false,
    logLevel: 'Error',
    // Types of our own that an entry point uses but does not export are explained where they are used.
    validation: false,
    outputs: [{ name: 'markdown', path: folder }],
    // Options of the plugin: one page an entry point.
    ...({
      outputFileStrategy: 'modules',
      entryFileName: 'index',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useHTMLAnchors: true,
    } as object),
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the sources');
  // typedoc names a module after its file.
  const names = new Map(entryPoints().map(({ name, source }) => [fileName(source), name]));
  for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
  await app.generateOutputs(project);
}

export function apiSidebar() {
  const names = entryPoints().map(({ name }) => name);
  return {
    text: 'API',
    items: names.map((name) => ({ text: name, link: `/api/${name}` })),
  };
}
