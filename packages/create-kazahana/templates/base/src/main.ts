import { listen } from './app.ts';
import { closeIds } from './ids.ts';
import { closeNotes } from './notes.ts';

const app = await listen(Number(process.env.PORT ?? 3000));
console.log(`${app.url}/notes`);

async function stop(): Promise<void> {
  await app.close();
  // Gives the machine ID back at once, instead of when its lease ends.
  await closeIds();
  await closeNotes();
}
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
