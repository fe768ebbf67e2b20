// Rule R7: what shows that a store has forgotten something. How an engine goes on from there is in `engine-loss.test.ts`.
import { describe, expect, it } from 'vitest';
import { DEFAULT_ID_LAYOUT } from '../id/layout.js';
import type { Incarnation } from './driver.js';
import { noticeLoss } from './loss.js';
import { encodePool } from './records.js';
import { newPool, type PoolRecord } from './rules.js';
import { RULES } from './switchable-rules.js';
import { PoolView } from './view.js';

const NOW = 1000;
const RULE = { ...RULES, maxWindow: 500, afterFailOver: 'quarantine' } as const;
const LIFE: Incarnation = { id: 'first', mayLose: true };

function viewOf(changes: Partial<PoolRecord> = {}): PoolView {
  const like = { layout: DEFAULT_ID_LAYOUT, share: { index: 0, of: 1 }, maxWindow: 500 };
  const pool = { ...newPool('p', 'g', like), incarnation: LIFE, ...changes };
  const facts = {
    ...{ now: NOW, pool: { data: encodePool(pool), version: '1' }, serial: 5, held: 0 },
    ...{ free: [], slots: [], responses: [], quotas: [] },
  };
  return new PoolView(facts, pool, { rest: undefined });
}

describe('a lease that the store has lost', () => {
  const rows: [title: string, from: number, until: number, created: number, end: number, isLoss: boolean][] =
    [
      ['ends after the quarantine: that was too short', 900, 1200, 800, 1300, true],
      ['ends with the quarantine: nothing is new', 900, 1300, 800, 1300, false],
      ['began with the quarantine: nothing is new', 900, 1300, 900, 1300, false],
      ['began in the quarantine: there was another loss', 900, 1300, 901, 1300, true],
    ];
  for (const [title, quarantinedFrom, quarantinedUntil, created, end, isLoss] of rows) {
    it(title, () => {
      const view = viewOf({ quarantinedFrom, quarantinedUntil });
      const window = { id: 1, bitId: 14, bitSeq: 8, created, expired: end, fallbackUntil: end };
      const claim = { pool: 'p', ...window, timestamp: NOW, signature: '' };
      const evidence = { seen: [], incarnation: LIFE, calls: [{ lost: () => claim }] };
      expect(noticeLoss(view, evidence, RULE)).toEqual(isLoss ? { reason: 'lease' } : undefined);
      expect(view.pool.quarantinedFrom).toBe(isLoss ? NOW : quarantinedFrom);
    });
  }
});

describe('a pool is not written', () => {
  const rows: [title: string, before: Incarnation | null, incarnation: Incarnation | undefined][] = [
    ['while the store lives the same life', LIFE, { ...LIFE }],
    ['when the store tells no lives apart', null, undefined],
  ];
  for (const [title, before, incarnation] of rows) {
    it(title, () => {
      const view = viewOf({ incarnation: before });
      expect(noticeLoss(view, { seen: [], incarnation, calls: [] }, RULE)).toBeUndefined();
      expect(view.changes()).toBeUndefined();
    });
  }

  it('but it is when the store begins another life', () => {
    const view = viewOf();
    const next = { id: 'second', mayLose: true };
    expect(noticeLoss(view, { seen: [], incarnation: next, calls: [] }, RULE)).toEqual({
      reason: 'incarnation',
    });
    expect(view.pool.incarnation).toEqual(next);
    expect(view.changes()?.pool).toContain('second');
  });
});
