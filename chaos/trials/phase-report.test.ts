// One finding of each kind, planted into the records of a small run without any.
import { describe, expect, it } from 'vitest';
import type { Kind } from '../checker/kinds.ts';
import type { MakerEvent } from '../records.ts';
import { type ClientRecord, findingsOf, type Phase, tableOf } from './phase-report.ts';

const REFUSAL: Phase = {
  ...{ name: 'revoked', kind: 'refusal', sign: 'UNAUTHORIZED' },
  ...{ began: 0, outlasted: 2000, mending: 4000, mended: 5000, ended: 20_000 },
};
const OUTAGE: Phase = { ...REFUSAL, name: 'down', kind: 'outage', sign: 'UNREACHABLE' };

type Row = readonly [at: number, what: Kind | MakerEvent];
const warning = (why: string): MakerEvent => ({ kind: 'warning', why });
const rejection = (cause: string): MakerEvent => ({
  ...{ kind: 'refused', ids: 1, why: `LEASE_ACQUISITION: ${cause}` },
});
const client = (forbidden: readonly Kind[], ...rows: readonly Row[]): ClientRecord => ({
  ...{ name: 'a', forbidden },
  made: rows.flatMap(([at, what]) => (typeof what === 'string' ? [{ at, kind: what }] : [])),
  events: rows.flatMap(([at, what]) => (typeof what === 'string' ? [] : [{ at, by: 'a', ...what }])),
});

const refused: readonly Row[] = [
  ...([
    [0, 'leased'],
    [1000, warning('fenced')],
    [1000, 'fenced'],
  ] as const),
  ...([
    [2500, warning('refused')],
    [2500, rejection('UNAUTHORIZED')],
  ] as const),
  ...([
    [7000, warning('recovered')],
    [7000, 'leased'],
  ] as const),
];
const random: readonly Row[] = [
  ...([
    [2500, warning('random')],
    [2500, 'random'],
    [3500, 'random'],
  ] as const),
  ...([
    [2500, rejection('UNREACHABLE')],
    [7000, warning('recovered')],
    [7000, 'leased'],
  ] as const),
];

const CASES: readonly (readonly [
  what: string,
  phase: Phase,
  clients: ClientRecord | readonly ClientRecord[],
  findings: readonly string[],
])[] = [
  ['nothing in a refusal that rejects', REFUSAL, client([], ...refused), []],
  ['nothing in an outage with random IDs and a warning', OUTAGE, client([], ...random), []],
  [
    'random IDs in spite of a refusal',
    REFUSAL,
    client([], ...random, ...refused),
    ['a made 2 random IDs in spite of a refusal: revoked'],
  ],
  [
    'random IDs without a warning',
    OUTAGE,
    client([], ...random.filter(([, what]) => typeof what === 'string' || what.kind !== 'warning')),
    ['a made 2 random IDs without a warning'],
  ],
  [
    'a random ID after an episode, whose warning is for that one only',
    OUTAGE,
    client([], ...random, [8000, 'random']),
    ['a made 1 random IDs without a warning'],
  ],
  [
    'IDs of a kind that is forbidden',
    REFUSAL,
    client(['fenced'], ...refused),
    ['a made 1 IDs of a kind that its settings forbid'],
  ],
  [
    'a client that recovers too late',
    REFUSAL,
    client([], ...refused.slice(0, -1), [15_001, 'leased']),
    ['a has no lease 10000 ms after: revoked'],
  ],
  [
    'a client that never recovers',
    REFUSAL,
    client([], ...refused.slice(0, -1)),
    ['a has no lease 10000 ms after: revoked'],
  ],
  [
    'nothing in a client of another phase',
    REFUSAL,
    [client([], ...refused), { ...client([]), only: 'another' }],
    [],
  ],
  [
    'a fault that no client met',
    { ...REFUSAL, sign: 'POOL_MISMATCH' },
    client([], ...refused),
    ['no client met POOL_MISMATCH: revoked'],
  ],
];

describe('the report of a phase finds', () => {
  it.each(CASES)('%s', (_, phase, clients, findings) => {
    expect(findingsOf([phase], [clients].flat())).toEqual(findings);
  });
});

it('has a row for each client, and a letter for each second', () => {
  expect(tableOf({ ...REFUSAL, ended: 8000 }, [client([], ...refused)])).toEqual([
    'revoked (refusal)',
    'client  leased  fenced  random  back after  by second  warnings                          rejections',
    'a       1       1       0       2.0 s       LFx--|--L  1 fenced, 1 refused, 1 recovered  1 LEASE_ACQUISITION: UNAUTHORIZED',
  ]);
});
