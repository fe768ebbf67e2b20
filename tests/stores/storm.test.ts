// Two hundred holders at once on each store: four processes with two threads each, and twenty-five loops in a thread.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findOverlaps } from './ledger.ts';
import { loadStore, STORES } from './store-under-test.ts';
import type { StormOptions, StormResult } from './storm-worker.ts';

const PROCESSES = 4;
const services = { default: { bitId: 9, bitSeq: 13, leaseDuration: 600_000 } };
const worker = fileURLToPath(new URL('storm-worker.ts', import.meta.url));

describe('two hundred holders that acquire and release at once', () => {
  for (const name of STORES) {
    it(`${name}: no slot is held twice, nothing is lost`, async () => {
      const store = await loadStore(name);
      const started = await store.start();
      try {
        const options: StormOptions = {
          store: name,
          address: started.address,
          threads: 2,
          loops: 25,
          rounds: 6,
          services,
        };
        const outputs = await Promise.all(
          Array.from({ length: PROCESSES }, (_, seed) =>
            promisify(execFile)(process.execPath, [worker, JSON.stringify(options), String(seed)], {
              maxBuffer: 2 ** 28,
            }),
          ),
        );
        const results = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as StormResult[]);
        const granted = results.flatMap((result) => result.granted);
        expect(granted.length).toBeGreaterThan(1000);
        expect(findOverlaps(granted)).toEqual([]);
        expect(new Set(granted.map(({ secret }) => secret)).size).toBe(granted.length);

        const { provider, close } = await store.connect(started.address, { services });
        const left = granted.filter(({ isReleased }) => !isReleased).map(({ id }) => id);
        expect((await provider.listLeases()).map(({ id }) => id).sort()).toEqual(left.sort());
        await close();
      } finally {
        await started.stop();
      }
    });
  }
});
