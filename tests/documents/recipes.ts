// Recipes of documents that are several files: a section whose pieces of code begin with the name of a file, and a command. The files
// are written into a folder, and the command runs there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Project } from './project.ts';
import { findSnippets } from './snippets.ts';

export interface Recipe {
  readonly origin: string;
  readonly files: ReadonlyMap<string, string>;
  readonly command: string;
}

const FILE_NAME = /^\/\/ (?<name>[\w./-]+\.\w+)\n/;

/** The recipes of a document: its sections, of whatever depth, that name files. */
export function findRecipes(path: string, text: string): Recipe[] {
  return text.split(/^(?=##+ )/m).flatMap((section) => {
    const files = new Map<string, string>();
    let command = '';
    for (const { language, code } of findSnippets(path, section)) {
      const name = FILE_NAME.exec(code)?.groups?.name;
      if (name !== undefined) files.set(name, code);
      else if (language === 'sh') command = code;
    }
    if (files.size === 0) return [];
    return [{ origin: `${path}: ${section.split('\n', 1)[0]?.replace(/^#+ /, '')}`, files, command }];
  });
}

/** Whether a snippet is a file of a recipe. */
export const isRecipeFile = ({ code }: { readonly code: string }): boolean => FILE_NAME.test(code);

/** Follows a recipe; resolves to what went wrong, or an empty text. */
export async function follow(
  project: Project,
  { origin, files, command }: Recipe,
  atHome: (code: string) => Promise<string | undefined>,
): Promise<string> {
  const folder = join(project.folder, origin.replace(/[^\w]+/g, '-'));
  for (const [name, code] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, (await atHome(code)) ?? code);
  }
  // As a project has one: without `"type": "module"`, unless the recipe is in ESM.
  const isEsm = [...files.values()].some((code) => /^import /m.test(code));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: isEsm ? 'module' : 'commonjs' }));
  // All is installed, and `npx` runs what is.
  const commands = command.replaceAll('npx ', '').replaceAll(/^npm install .*$/gm, '');
  const { code, output } = await project.run('sh', ['-ec', commands], folder);
  return code === 0 ? '' : output;
}
