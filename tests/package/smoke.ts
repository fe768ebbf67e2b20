// `node tests/package/smoke.ts <tarball> …`: installs packed packages together in an empty project and opens every door on each
// Node that it is for: the library, the command, the server and its page, new projects. The exit code tells.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findRuntime, installRuntimes, processRuntimes } from '../runtimes/runtimes.ts';
import { commandIn, withServer } from './installed-server.ts';

const execute = promisify(execFile);
const tarballs = process.argv.slice(2);
if (tarballs.length === 0) throw new Error('usage: node tests/package/smoke.ts <tarball> …');

const LIBRARY = `
import { decodeId, KazahanaClient, MemoryLeaseProvider, toExternalId, toInternalId } from 'kazahana';
import { generateV7, isUuid } from 'kazahana/uuid';
const client = new KazahanaClient({ provider: new MemoryLeaseProvider() });
const id = await client.nextId();
if (decodeId(id).fallback || toInternalId(toExternalId(id)) !== id) throw new Error('no leased ID');
if (!isUuid(generateV7())) throw new Error('no UUID');
await client.shutdown();
`;

/** `npm create kazahana`, and the test of what it wrote. */
async function createProject(node: string, folder: string): Promise<void> {
  const bin = join(folder, 'node_modules/create-kazahana/bin/create-kazahana.js');
  const project = await mkdtemp(join(folder, 'project-'));
  const flags = ['--framework', 'none', '--database', 'none', '--store', 'sqlite'];
  await execute(node, [bin, project, ...flags], { cwd: folder });
  await execute(node, ['--env-file=.env', '--test'], { cwd: project });
}

/** The command, the server, the embedded store and new projects begin with this Node. */
const FIRST_FOR_SERVER = 22;

async function openServer(node: string, folder: string): Promise<string> {
  return withServer(node, folder, `sqlite:${folder}/smoke.db`, async (url) => {
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    if (!page.ok || !(await page.text()).includes('<html')) throw new Error(`the page: ${page.status}`);
    const body = JSON.stringify({ count: 2 });
    const headers = { 'content-type': 'application/json' };
    const minted = await fetch(`${url}/ids`, { method: 'POST', headers, body });
    const { ids } = (await minted.json()) as { ids?: string[] };
    if (ids?.length !== 2) throw new Error(`POST /ids: ${minted.status}`);
    const args = [commandIn(folder), 'whois', ids[0] ?? '', '--url', url, '--json'];
    const { stdout } = await execute(node, args);
    if (!stdout.includes(ids[0] ?? '-')) throw new Error(`whois: ${stdout}`);
    return `page, ${ids.join(' ')}, whois`;
  });
}

await installRuntimes();
const folder = await mkdtemp(join(tmpdir(), 'kazahana-smoke-'));
let failed = 0;
let passed = 0;
try {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, 'library.js'), LIBRARY);
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--loglevel=error'];
  await execute('npm', ['install', ...tarballs, ...flags], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  for (const runtime of processRuntimes.filter(({ name }) => name === 'Node')) {
    const { version } = findRuntime(runtime);
    const doors: [string, () => Promise<unknown>][] = [
      ['library', () => execute(runtime.executable, ['library.js'], { cwd: folder })],
    ];
    if (Number.parseInt(version ?? '0', 10) >= FIRST_FOR_SERVER) {
      doors.push(
        ['command', () => execute(runtime.executable, [commandIn(folder), 'uuid'], { cwd: folder })],
        ['server', () => openServer(runtime.executable, folder)],
        ['create', () => createProject(runtime.executable, folder)],
      );
    }
    for (const [door, open] of doors) {
      try {
        if (version === null) throw new Error('this Node cannot be had here');
        await open();
        passed++;
        console.log(`  Node ${version}  ${door.padEnd(8)} ok`);
      } catch (error) {
        failed++;
        console.log(`  ${runtime.id}  ${door.padEnd(8)} FAILED  ${error}`);
      }
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
