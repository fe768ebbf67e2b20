// `kazahana validate`: whether texts are UUIDs; what is wrong with others, and where.
import { validateUuid } from 'kazahana/uuid';
import { EXIT, inputs, type Terminal } from '../terminal.js';

export interface ValidateFlags {
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Longer ones are shown around the place that matters. */
const SHOWN = 70;

export async function validate(
  args: readonly string[],
  flags: ValidateFlags,
  terminal: Terminal,
): Promise<number> {
  let code: number = EXIT.fine;
  for await (const { text } of inputs(args)) {
    const result = validateUuid(text);
    if (!result.isValid) code = EXIT.invalid;
    if (flags.json) {
      await terminal.json({ input: text, ...result });
      continue;
    }
    if (flags.quiet) continue;
    if (result.isValid) {
      await terminal.line(`${terminal.paint('green', 'valid')}    ${result.normalized}  ${result.version}`);
      continue;
    }
    for (const { code: name, message, position } of result.errors) {
      const from = position !== undefined && position > SHOWN - 10 ? position - SHOWN / 2 : 0;
      const shown = text.slice(from, from + SHOWN);
      await terminal.line(`${terminal.paint('red', 'invalid')}  ${shown}`);
      if (position !== undefined)
        await terminal.line(`${' '.repeat(9 + position - from)}${terminal.paint('red', '^')}`);
      await terminal.line(`         ${name}: ${message}`);
    }
  }
  return code;
}
