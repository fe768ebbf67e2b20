// The colours of fields, which mean the same everywhere: the page has the same roles.
import type { ReadingField, Role } from 'kazahana/inspect';
import type { Style } from './terminal.js';

const COLORS = {
  time: 'cyan',
  machine: 'yellow',
  sequence: 'green',
  random: 'magenta',
  version: 'blue',
  other: 'gray',
} as const satisfies Readonly<Record<Role, Style>>;

export const roleStyle = (role: Role) => COLORS[role];

/** The style of each field: the colour of its role, underlined where the field before it has the same. */
export function fieldStyles(fields: readonly Pick<ReadingField, 'role'>[]): Style[] {
  let isUnderlined = false;
  return fields.map(({ role }, i) => {
    isUnderlined = fields[i - 1]?.role === role && !isUnderlined;
    return isUnderlined ? [COLORS[role], 'underline'] : COLORS[role];
  });
}
