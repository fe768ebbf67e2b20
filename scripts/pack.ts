// Packs packages as a registry would get them.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './run.ts';

const execute = promisify(execFile);

export interface Packed {
  readonly name: string;
  readonly version: string;
  /** Where the tarball is. */
  readonly path: string;
  readonly files: readonly string[];
  readonly size: number;
  readonly unpackedSize: number;
}

interface Listed extends Omit<Packed, 'path' | 'files'> {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The folders of all packages. */
export function packageFolders(repository: string = root): string[] {
  const packages = join(repository, 'packages');
  return readdirSync(packages).map((name) => join(packages, name));
}

/** Packs what is built in a folder. */
export async function pack(folder: string, destination: string): Promise<Packed> {
  mkdirSync(destination, { recursive: true });
  const args = ['pack', '--json', '--pack-destination', destination];
  const { stdout } = await execute('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  // An array up to npm 11, an object by package name after it.
  const [packed] = Object.values<Listed>(JSON.parse(stdout));
  if (packed === undefined) throw new Error(`npm pack made nothing in ${folder}`);
  const { filename, files, ...rest } = packed;
  return { ...rest, path: join(destination, filename), files: files.map(({ path }) => path) };
}
