// Before each test file that mutants are shown to: leaves out slow tests, and ends a property at its first failure.
import fc from 'fast-check';
import { beforeEach } from 'vitest';
import { SLOW } from './parts.ts';

// To find the smallest failing example takes longer than to find one; a mutant is noticed either way.
fc.configureGlobal({ endOnFailure: true });

beforeEach(({ task, skip }) => {
  const name = `${task.file.name} › ${task.name}`;
  if (SLOW.some((part) => name.includes(part))) skip();
});
