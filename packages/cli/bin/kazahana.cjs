#!/usr/bin/env node
// The command `kazahana`. An old Node reads this file, too, and gets a sentence instead of a stack trace: no syntax younger
// than Node 12, and nothing is loaded before the version is known.
'use strict';

/** As `engines` in package.json says. */
const NEEDED = [22, 14];
const WRONG_USAGE = 2;

const [major, minor] = process.versions.node.split('.').map(Number);

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(WRONG_USAGE);
};

/** In a clone of the repository the command may be called before anything is built. */
const buildClone = () => {
  const { spawnSync } = require('node:child_process');
  const { existsSync } = require('node:fs');
  const { join } = require('node:path');
  if (existsSync(join(__dirname, '../dist/main.js'))) return;
  const scripts = join(__dirname, '../../../scripts');
  if (!existsSync(join(scripts, 'build.ts')))
    fail('kazahana: the package is incomplete: dist/main.js is missing.');
  process.stderr.write('Building kazahana (once) …\n');
  const args = [join(scripts, 'bootstrap.mjs'), 'scripts/build.ts'];
  // Data is all that belongs on stdout.
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('kazahana: the build has failed.');
};

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  fail(`kazahana needs Node ${NEEDED.join('.')} or later; this is ${process.version}.`);
} else {
  // Compiled once for all runs: a command that makes one UUID should cost little more than starting Node.
  require('node:module').enableCompileCache();
  import('../dist/main.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    buildClone();
    return import('../dist/main.js');
  });
}
