// The API reference: one folder of pages an entry point, made by typedoc from the types of the sources.
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryPoints } from '../scripts/entry-points.ts';
import { root } from '../scripts/run.ts';

const website = fileURLToPath(new URL('.', import.meta.url));

/** The library first. The page is run, not imported. */
const documented = () =>
  entryPoints()
    .filter(({ name }) => name !== '@kazahana/web')
    .sort((a, b) => Number(a.name.startsWith('@')) - Number(b.name.startsWith('@')));

/** A source file as typedoc names it. */
const fileName = (source: string) =>
  relative(join(root, 'packages'), source)
    .split(sep)
    .join('/')
    .replace(/(\/index)?\.ts$/, '');

/** Writes the pages of every entry point; packages must be built, since they import each other. */
export async function writeApi(folder: string): Promise<void> {
  const { Application } = await import('typedoc');
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: documented().map(({ source }) => source),
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
  const names = new Map(documented().map(({ name, source }) => [fileName(source), name]));
  for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
  await app.generateOutputs(project);
}

/** Beside the pages of the API: each entry point, and the way back. */
export function apiSidebar() {
  return [
    { text: 'All documents', link: '/' },
    { text: 'API', items: documented().map(({ name }) => ({ text: name, link: `/api/${name}` })) },
  ];
}
