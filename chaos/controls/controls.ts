// The negative controls: storms with something broken, which the same command must find out.
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RULES } from '../checker/check.ts';
import type { StormService } from '../storm/faults.ts';
import type { StormFleet } from '../storm/fleet.ts';
import type { Member } from '../storm/roster.ts';
import type { RunningSetUp, SetUpName } from '../storm/set-ups.ts';
import type { StormControl } from '../storm/storm.ts';
import { RULES_OFF, withoutRule } from './switch-off.ts';

interface Control extends StormControl {
  readonly what: string;
  readonly setUp: SetUpName;
  readonly seconds: number;
  readonly service: StormService;
  readonly faults: readonly string[];
  /** The violations that tell of it: one of these must be found. */
  readonly finds: readonly (typeof RULES)[number][];
}

/** Few slots, so that each is soon granted again. */
const FEW_SLOTS = { bitId: 5, bitSeq: 17, leaseDuration: 3000, fallbackGrace: 3000 };

/** Some clients stay, many come and go. */
const CHURN: readonly Member[] = [
  ...['stays-1', 'stays-2', 'stays-3'].map(
    (name): Member => ({ name, from: 'server', way: 'nextIds', atOnce: 60 }),
  ),
  ...Array.from(
    { length: 9 },
    (_, at): Member => ({
      ...{ name: `comes-${at}`, from: at % 2 === 0 ? 'server' : 'store', way: 'nextIds', atOnce: 60 },
      ...{ staysMs: 300, hasClock: at % 2 === 0 },
    }),
  ),
];

/** Clocks that are ahead, by less than a client corrects. */
const AHEAD_MS = 800;
async function setClocksAhead(_: unknown, { clients }: StormFleet): Promise<void> {
  for (const { clock, member } of clients) if (member.name.startsWith('comes')) clock?.set(AHEAD_MS);
}

const FORGET_EVERY_MS = 500;

/**
 * The slots that were granted last are made unused behind the back of every process; the file, its pool and the serial stay. Their
 * holders have no reason to call soon.
 */
async function forget({ url }: RunningSetUp, _: unknown, ended: AbortSignal): Promise<void> {
  const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 10_000 });
  while (!ended.aborted) {
    await sleep(FORGET_EVERY_MS);
    database.exec(`BEGIN IMMEDIATE;
      CREATE TEMP TABLE latest AS SELECT pool, generation, slot FROM slots ORDER BY free_from DESC LIMIT 4;
      INSERT INTO gaps SELECT pool, generation, slot, slot FROM latest;
      DELETE FROM slots WHERE (pool, generation, slot) IN latest;
      DROP TABLE latest; COMMIT`);
  }
  database.close();
}

const EQUAL = ['equal IDs', 'R2'] as const;
const BASE = { setUp: 'sqlite', seconds: 15, faults: [], service: FEW_SLOTS, roster: CHURN } as const;
const WITHOUT_RULE: Readonly<
  Record<(typeof RULES_OFF)[number], Pick<Control, 'what' | 'finds'> & Partial<Control>>
> = {
  R1: { what: 'clients do not look at the end of their windows', finds: ['R1', ...EQUAL] },
  R2: {
    ...{ what: 'a released slot is free at once, its window forgotten', finds: EQUAL },
    beside: setClocksAhead,
  },
  R5: {
    ...{ what: 'a slot is free when its lease expires, in spite of the grace', finds: EQUAL },
    faults: ['kill-client', 'pause-client', 'crash-loop'],
  },
  R8: {
    ...{ what: 'clients take any response for theirs, and leases that come again', finds: ['R1', ...EQUAL] },
    faults: ['proxy-repeat', 'proxy-swap'],
    seconds: 25,
  },
};

export const CONTROLS: readonly Control[] = [
  {
    ...{ ...BASE, name: 'source-rules', what: 'a provider by the rules of the source document' },
    ...{ setUp: 'redis', hasSourceRules: true, beside: setClocksAhead, finds: ['R1', ...EQUAL] },
  },
  {
    ...{ ...BASE, name: 'forgets', what: 'a store that forgets without telling' },
    ...{ beside: forget, finds: EQUAL },
  },
  ...RULES_OFF.map((rule) => ({
    ...BASE,
    ...WITHOUT_RULE[rule],
    name: rule,
    environment: withoutRule(rule),
  })),
];
