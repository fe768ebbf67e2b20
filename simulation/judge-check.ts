// Whether the judge sees what there is to see: runs stand for their IDs, ID by ID, and every ID that two have made is
// found. Compared, on random IDs, with the plain way: bigints, each in a set.
import { LIB_DEFAULT_EPOCH } from 'kazahana';
import { IdLedger } from './id-ledger.ts';
import { toRuns } from './id-runs.ts';
import { Random } from './world.ts';

const ROUNDS = 2000;

/** What is wrong with the judge; nothing, it is to be hoped. */
export function judgeErrors(): string[] {
  const random = new Random(1);
  const errors = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const bits = random.integer(5, 30);
    const layout = { customEpoch: LIB_DEFAULT_EPOCH, bitReserve: 0, bitTs: 41, bitId: 3, bitSeq: bits - 3 };
    // From the last suffixes of a millisecond on, and all of them close together, so that many are made twice.
    const origin = (BigInt(random.integer(0, 2 ** 40)) << BigInt(bits)) - 20n + (1n << BigInt(bits));
    const made = new IdLedger();
    const known = new Set<bigint>();
    let [isFound, isTrue] = [false, false];
    for (let i = 0; i < 8; i++) {
      const node = `node${random.integer(0, 3)}`;
      const ids = drawIds(random, origin + BigInt(random.integer(0, 60)));
      const runs = toRuns(ids, layout);
      const told = runs.flatMap(({ t, start, end }) =>
        Array.from(
          { length: end - start },
          (_, k) => (BigInt(t - LIB_DEFAULT_EPOCH) << BigInt(bits)) + BigInt(start + k),
        ),
      );
      if (told.join() !== ids.join()) errors.add('the runs are not the IDs');
      isTrue ||= new Set(ids).size < ids.length || ids.some((id) => known.has(id));
      for (const id of ids) known.add(id);
      for (const run of runs) {
        if (made.add(run, { node, kind: 'leased', lease: undefined }).length > 0) isFound = true;
      }
      if (isFound !== isTrue) errors.add(isTrue ? 'an ID made twice was missed' : 'no ID was made twice');
    }
  }
  return [...errors];
}

/** Mostly one after another; with leaps, and now and then the same again. */
function drawIds(random: Random, first: bigint): BigUint64Array {
  let next = first;
  return BigUint64Array.from({ length: random.integer(0, 12) }, () => {
    const id = next;
    next += BigInt(random.chance(0.9) ? 1 : random.integer(-1, 9));
    return id;
  });
}
