// Loaded into every `kazahana serve` of a fleet before anything else: notes what the server's own client is granted and releases,
// which makes the IDs for `POST /ids`, and switches a rule off for a negative control.
import { openSync, writeSync } from 'node:fs';
import { LeaseEngine } from 'kazahana/lease';
import { switchOff } from './controls/switch-off.ts';
import { type MakerEvent, machineNow, windowNotes } from './records.ts';

const { CHAOS_GRANTS: path = '', CHAOS_MINTED_SERVICE: service = '' } = process.env;

await switchOff();
if (path !== '') {
  const file = openSync(path, 'a');
  const note = (event: MakerEvent) =>
    void writeSync(file, `${JSON.stringify({ at: machineNow(), ...event })}\n`);
  const windows = windowNotes(note, `${path.split('/').at(-1)} ${process.pid}`);
  const { acquire, release } = LeaseEngine.prototype;
  LeaseEngine.prototype.acquire = async function (...args) {
    const response = await acquire.apply(this, args);
    if (args[0].serviceId === service) windows.granted(response);
    return response;
  };
  LeaseEngine.prototype.release = function (...args) {
    if (args[0].serviceId === service) windows.released(args[0]);
    return release.apply(this, args);
  };
}
