// `kazahana external`: 64-bit IDs as external ones, and back.
import { createExternalIdCodec, ExternalIdFormatError } from 'kazahana/external';
import { type ExternalOptionFlags, externalOptionsOf } from '../external-options.js';
import { inputs } from '../inputs.js';
import { EXIT, type Terminal, UsageError } from '../terminal.js';
import { idOf } from '../values.js';
import { visible } from '../visible.js';

export interface ExternalFlags extends ExternalOptionFlags {
  readonly json?: boolean;
}

export async function external(
  direction: 'encode' | 'decode',
  args: readonly string[],
  flags: ExternalFlags,
  terminal: Terminal,
): Promise<number> {
  const { toExternalId, toInternalId } = createExternalIdCodec(await externalOptionsOf(flags));
  let code: number = EXIT.fine;
  for await (const { text } of inputs(args, 'IDs')) {
    try {
      const id = direction === 'encode' ? idOf(text) : toInternalId(text);
      const externalId = direction === 'encode' ? toExternalId(id) : text;
      const result = direction === 'encode' ? externalId : String(id);
      await (flags.json ? terminal.json({ id, external: externalId }) : terminal.line(result));
    } catch (error) {
      if (!(error instanceof ExternalIdFormatError || error instanceof UsageError)) throw error;
      code = EXIT.invalid;
      // Wrong data is not wrong usage, wherever it is noticed.
      const wrong = error instanceof UsageError ? 'OUT_OF_RANGE' : error.code;
      if (flags.json) await terminal.json({ input: text, error: { code: wrong, message: error.message } });
      else terminal.say(`kazahana external ${direction}: ${visible(error.message)}`);
    }
  }
  return code;
}
