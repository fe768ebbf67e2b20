// Rates, availability and times to recover, on traces of a few seconds.
import { describe, expect, it } from 'vitest';
import type { Span } from '../checker/check.ts';
import { availability, rates, recoveries, unnoticed } from './evaluate.ts';

const BEGAN = 1_000_000;
const span = (at: number, kinds: Partial<Omit<Span, 'at'>>): Span => ({
  ...{ at: BEGAN + at, leased: 0, fenced: 0, random: 0, stray: 0, ...kinds },
});
const trace = (
  name: string,
  spans: readonly Span[],
  pauses: readonly [number, number][] = [],
  end = 5000,
) => ({
  ...{ name, spans, events: [{ at: BEGAN }, { at: BEGAN + end }] },
  pauses: pauses.map(([began, ended]) => ({ began: BEGAN + began, ended: BEGAN + ended })),
});
const fault = (name: string, who: string, began: number, ended: number) => ({
  ...{ name, who, lane: 'any', times: 1, began: BEGAN + began, ended: BEGAN + ended },
});

describe('rates', () => {
  it('are IDs of each second by kind; what is outside of the run does not count', () => {
    const spans = [span(100, { leased: 3 }), span(900, { random: 1 }), span(1500, { fenced: 2 })];
    const [first, second, ...rest] = rates([...spans, span(-1, { leased: 9 })], BEGAN, BEGAN + 1600);
    expect(first).toEqual({ leased: 3, fenced: 0, random: 1, stray: 0 });
    expect(second).toEqual({ leased: 0, fenced: 2, random: 0, stray: 0 });
    expect(rest).toEqual([]);
  });
});

describe('availability', () => {
  const made = (...seconds: readonly number[]) => seconds.map((at) => span(at * 1000 + 1, { leased: 1 }));
  it('is the part of the seconds of running clients with an ID', () => {
    expect(availability([trace('a', made(0, 1, 2, 3, 4)), trace('b', made(0, 1, 2))])).toBe(0.8);
  });

  it('does not count the seconds in which a client is paused, nor the one after', () => {
    expect(availability([trace('a', made(0, 4), [[1000, 2500]])])).toBe(1);
  });

  it('of nothing is 0', () => {
    expect(availability([])).toBe(0);
  });
});

describe('times to recover', () => {
  const clients = [
    trace('a', [span(500, { leased: 1 }), span(2500, { random: 1 }), span(4000, { leased: 1 })]),
    trace('b', [span(2200, { leased: 1 })]),
  ];
  it('are from the end of a fault to the next leased ID, of all clients', () => {
    expect(recoveries([fault('kill-server', 'server 1', 0, 2000)], clients)).toEqual({
      'kill-server': { clients: 2, medianMs: 2000, p95Ms: 2000, worstMs: 2000 },
    });
  });

  it('are of the client that was hit, where it was one', () => {
    expect(recoveries([fault('pause-client', 'b', 0, 2000)], clients)['pause-client']?.worstMs).toBe(200);
  });

  it('leave out clients that are paused meanwhile, or end before', () => {
    const others = [trace('a', clients[0]?.spans ?? [], [[2100, 3000]]), trace('b', [], [], 1000)];
    expect(recoveries([fault('cut', 'all', 0, 2000)], others)).toEqual({});
  });
});

describe('losses', () => {
  const [first, second] = [fault('flush', 'store', 1000, 1100), fault('flush', 'store', 9000, 9100)];
  const losses = (...at: readonly number[]) => at.map((ms) => BEGAN + ms);
  it('are noticed from the beginning of the fault on, until the next one has lost something', () => {
    expect(unnoticed([first, second], losses(1050, 9100))).toEqual([]);
    expect(unnoticed([first, second], losses(8000, 30_000))).toEqual([]);
  });

  it('are a finding each when no process noticed them', () => {
    expect(unnoticed([first, second], losses(900, 9100))).toEqual([
      `no process noticed the loss of flush at ${new Date(first.ended).toISOString()}`,
    ]);
    expect(unnoticed([first, second], losses(1050))).toHaveLength(1);
    expect(unnoticed([first, second], [])).toHaveLength(2);
  });
});
