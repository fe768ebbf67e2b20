// The command line, run. The build puts this file and all that `kazahana uuid` needs into one, because every further
// module costs its start about a millisecond (scripts/bundle-cli.ts); the other commands stay files of their own.
import { withInspect } from './bare-ids.js';
import { shieldDashedIds } from './dashed-ids.js';
import { createProgram } from './program.js';
import { endQuietlyOnClosedPipe } from './terminal.js';

endQuietlyOnClosedPipe();
const finish = (code: number) => {
  process.exitCode = code;
};
const words = shieldDashedIds(withInspect(process.argv.slice(2)));
await createProgram(finish, words).parseAsync(words, { from: 'user' });
