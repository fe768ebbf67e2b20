// What every driver must do, sentence by sentence of the contract (`LeaseDriver`), as cases that any test runner can
// take. A store whose driver passes keeps the rules of a pool, because the engine does.
//
//   for (const { name, run } of leaseDriverConformance(factory)) test(name, run);
import type { ConformanceCase } from './conformance/case.js';
import { concurrencyCases } from './driver-conformance/concurrency-cases.js';
import { conflictCases } from './driver-conformance/conflict-cases.js';
import { countCases } from './driver-conformance/count-cases.js';
import { orderCases } from './driver-conformance/order-cases.js';
import { poolCases } from './driver-conformance/pool-cases.js';
import { responseCases } from './driver-conformance/response-cases.js';
import { slotCases } from './driver-conformance/slot-cases.js';
import { type DriverFactory, toDriverCase } from './driver-conformance/subject.js';
import { textCases } from './driver-conformance/text-cases.js';
import { turnCases } from './driver-conformance/turn-cases.js';

export type { DriverFactory, DriverSubject } from './driver-conformance/subject.js';

/** The cases for the drivers that `factory` makes: each case makes one, on a store that is empty. */
export function leaseDriverConformance(factory: DriverFactory): ConformanceCase[] {
  const cases = [
    ...poolCases,
    ...slotCases,
    ...orderCases,
    ...responseCases,
    ...countCases,
    ...textCases,
    ...conflictCases,
    ...turnCases,
    ...concurrencyCases,
  ];
  return cases.map((definition) => toDriverCase(factory, definition));
}
