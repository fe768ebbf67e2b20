// The command line, run. The build puts this file and all that `kazahana uuid` needs into one, because every further
// module costs its start about a millisecond (scripts/bundle-cli.ts); the other commands stay files of their own.
import { createProgram } from './program.js';
import { endQuietlyOnClosedPipe } from './terminal.js';

endQuietlyOnClosedPipe();
const finish = (code: number) => {
  process.exitCode = code;
};
await createProgram(finish, process.argv.slice(2)).parseAsync();
