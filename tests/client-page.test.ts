// docs/ids.md and docs/observing.md say what a client really has: its settings with their defaults, its events and its counts.
import {
  DEFAULT_ACQUIRE_RETRY_INTERVAL,
  DEFAULT_ACQUIRE_RETRY_MAX_INTERVAL,
  DEFAULT_ACQUIRE_THRESHOLD,
  DEFAULT_ACQUIRE_TIMEOUT,
  DEFAULT_MAX_BACKWARD_MS,
  DEFAULT_MAX_THROUGHPUT_PER_MS,
  DEFAULT_SHUTDOWN_TIMEOUT,
  KazahanaClient,
} from 'kazahana';
import { describe, expect, it } from 'vitest';
import { coded, sorted, table } from './operations-page.ts';

/** The names that an error lists as allowed. */
function allowedBy(call: () => unknown): string[] {
  try {
    call();
  } catch (error) {
    const [, list = ''] = /one of (.*), got/.exec((error as Error).message) ?? [];
    return list.split(', ').map((name) => name.replaceAll('"', ''));
  }
  throw new Error('it was expected to throw');
}

describe('the tables of a client', () => {
  const settings = table('client settings');

  it('name its settings', () => {
    const names = allowedBy(() => new KazahanaClient({ surely: 'not' } as object));
    expect(names.length).toBeGreaterThan(15);
    expect(sorted(coded(settings, 0))).toEqual(sorted(names));
  });

  it('say the defaults', () => {
    const said = (name: string) => settings.find((row) => coded([row], 0).includes(name))?.[1]?.trim();
    expect(said('maxThroughputPerMs')).toBe(String(DEFAULT_MAX_THROUGHPUT_PER_MS));
    expect(said('maxBackwardMs')).toBe(String(DEFAULT_MAX_BACKWARD_MS));
    expect(said('acquireThreshold')).toBe(String(DEFAULT_ACQUIRE_THRESHOLD));
    expect(said('acquireTimeout')).toBe(`${DEFAULT_ACQUIRE_TIMEOUT} ms`);
    expect(said('acquireRetryInterval')).toBe(
      `${DEFAULT_ACQUIRE_RETRY_INTERVAL / 1000} s, ${DEFAULT_ACQUIRE_RETRY_MAX_INTERVAL / 1000} s`,
    );
    expect(said('shutdownTimeout')).toBe(`${DEFAULT_SHUTDOWN_TIMEOUT / 1000} s`);
  });

  it('name its events', () => {
    const client = new KazahanaClient();
    const names = allowedBy(() => client.on('surely not' as 'lease', () => {}));
    expect(sorted(coded(table('client events'), 0))).toEqual(sorted(names));
  });

  it('name its counts', () => {
    const counts = Object.keys(new KazahanaClient({ serviceId: 'orders' }).stats());
    expect(sorted(coded(table('client counts'), 0))).toEqual(sorted(counts));
  });
});
