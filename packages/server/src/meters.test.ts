import { describe, expect, it } from 'vitest';
import { Meters } from './meters.js';

describe('meters', () => {
  it('write what was counted, set and observed, as Prometheus wants it', () => {
    const meters = new Meters('test_');
    const counter = meters.counter('calls_total', 'Calls', ['service', 'result']);
    counter.add(2, 'orders', 'ok');
    counter.add(0, 'orders', 'failed');
    counter.add(1, 'orders', 'ok');
    const gauge = meters.gauge('up', 'Is it', []);
    gauge.set(1);
    gauge.set(0);
    const histogram = meters.histogram('seconds', 'How long', ['what'], [0.1, 1]);
    for (const seconds of [0.05, 0.1, 0.5, 7]) histogram.observe(seconds, 'x');
    expect(meters.text()).toBe(`# HELP test_calls_total Calls
# TYPE test_calls_total counter
test_calls_total{service="orders",result="ok"} 3
test_calls_total{service="orders",result="failed"} 0

# HELP test_up Is it
# TYPE test_up gauge
test_up 0

# HELP test_seconds How long
# TYPE test_seconds histogram
test_seconds_bucket{le="0.1",what="x"} 2
test_seconds_bucket{le="1",what="x"} 3
test_seconds_bucket{le="+Inf",what="x"} 4
test_seconds_sum{what="x"} 7.65
test_seconds_count{what="x"} 4
`);
  });

  it('have what has no labels from the beginning', () => {
    const meters = new Meters('');
    meters.counter('a', 'b', []);
    meters.histogram('c', 'd', [], [1]);
    meters.counter('e', 'f', ['g']);
    expect(meters.text().match(/^[^#\n].*/gm)).toEqual([
      'a 0',
      'c_bucket{le="1"} 0',
      'c_bucket{le="+Inf"} 0',
      'c_sum 0',
      'c_count 0',
    ]);
  });

  it('write quotes, backslashes and line ends in a label so that they are read back', () => {
    const meters = new Meters('');
    meters.counter('a', 'b', ['c']).add(1, 'x"y\\z\nw');
    expect(meters.text()).toContain('a{c="x\\"y\\\\z\\nw"} 1');
  });
});
