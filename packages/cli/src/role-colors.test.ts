import { ROLES } from 'kazahana/inspect';
import { describe, expect, it } from 'vitest';
import { fieldStyles, roleStyle } from './role-colors.js';

describe('the colours of fields', () => {
  it('are one for each role', () => {
    expect(new Set(ROLES.map(roleStyle)).size).toBe(ROLES.length);
  });

  it('tell neighbours of one role apart', () => {
    const roles = ['time', 'machine', 'machine', 'machine', 'sequence'] as const;
    expect(fieldStyles(roles.map((role) => ({ role })))).toEqual([
      'cyan',
      'yellow',
      ['yellow', 'underline'],
      'yellow',
      'green',
    ]);
  });
});
