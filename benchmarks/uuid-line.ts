// One line of UUIDs in a process of its own: what V8 has compiled for one line changes the next by a tenth, and few programs use
// all of them. Prints what was measured as JSON. `uuid.ts` starts it.
// Run: node benchmarks/uuid-line.ts 1
import { runContest } from './results.ts';
import { uuidContests } from './uuid-lines.ts';
import { nativePeers } from './uuid-peers.ts';

const contest = uuidContests(nativePeers)[Number(process.argv[2])];
console.log(JSON.stringify(contest ? runContest(contest) : null));
