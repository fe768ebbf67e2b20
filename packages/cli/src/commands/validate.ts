// `kazahana validate`: whether texts are UUIDs; what is wrong with others, and where.
import { validateUuid } from 'kazahana/uuid';
import { inputs } from '../inputs.js';
import { EXIT, type Terminal } from '../terminal.js';
import { pointAt, wrap } from '../text-width.js';
import { visible } from '../visible.js';

export interface ValidateFlags {
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** As wide as the verdict and the space behind it. */
const MARGIN = 9;

type Result = ReturnType<typeof validateUuid>;

function verdict(text: string, { isValid, normalized, version, errors }: Result, terminal: Terminal) {
  if (isValid) return [`${terminal.paint('green', 'valid')}    ${normalized}  ${version}`];
  const columns = terminal.columns - MARGIN;
  const indent = ' '.repeat(MARGIN);
  return errors.flatMap(({ code, message, position }) => {
    const pointed = pointAt(text, position, columns);
    return [
      `${terminal.paint('red', 'invalid')}  ${pointed.text}`.trimEnd(),
      ...(pointed.caret === undefined
        ? []
        : [`${indent}${' '.repeat(pointed.caret)}${terminal.paint('red', '^')}`]),
      ...wrap(visible(`${code}: ${message}`), columns).map((line) => indent + line),
    ];
  });
}

export async function validate(
  args: readonly string[],
  flags: ValidateFlags,
  terminal: Terminal,
): Promise<number> {
  let code: number = EXIT.fine;
  for await (const { text } of inputs(args, 'texts')) {
    const result = validateUuid(text);
    if (!result.isValid) code = EXIT.invalid;
    if (flags.quiet) continue;
    await (flags.json
      ? terminal.json({ input: text, ...result })
      : terminal.line(verdict(text, result, terminal).join('\n')));
  }
  return code;
}
