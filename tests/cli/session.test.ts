// docs/terminal-session.md is what the commands print at a terminal.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { hasTerminal } from './pseudo-terminal.ts';
import { recordSession, SESSION_FILE } from './session.ts';

it.skipIf(!hasTerminal)('the recorded session is what is seen at a terminal (npm run session)', async () => {
  expect(await recordSession()).toBe(readFileSync(SESSION_FILE, 'utf8'));
});
