import { describe, expect, it } from 'vitest';
import { type Deadline, within } from './deadline.js';
import { virtualEnvironment } from './virtual-environment.js';

const LATE = new Error('too late');
const never = () => new Promise<never>(() => {});

/** What comes of work under a deadline of 100 ms, while the time passes. Sleeps may end so many milliseconds late. */
function start(work: (signal: AbortSignal) => Promise<unknown>, options: Partial<Deadline> = {}, lateBy = 0) {
  const environment = virtualEnvironment();
  const sleep: typeof environment.sleep = (ms, more) => environment.sleep(ms + lateBy, more);
  const state: { outcome: unknown } = { outcome: 'none yet' };
  const deadline = { environment: { ...environment, sleep }, ms: 100, late: () => LATE, ...options };
  void within(deadline, work).then(
    (result) => {
      state.outcome = result;
    },
    (error: unknown) => {
      state.outcome = error;
    },
  );
  return { environment, state };
}

describe('within a deadline', () => {
  it('work ends with what comes of it', async () => {
    const { environment, state } = start(async () => 'done');
    await environment.settle();
    expect(state.outcome).toBe('done');
    const failed = start(async () => Promise.reject(new Error('no')));
    await failed.environment.settle();
    expect(failed.state.outcome).toEqual(new Error('no'));
  });

  it('work is ended when its time is over, and hears of it', async () => {
    let heard: unknown;
    const { environment, state } = start((signal) => {
      signal.addEventListener('abort', () => {
        heard = signal.reason;
      });
      return never();
    });
    await environment.advance(99);
    expect(state.outcome).toBe('none yet');
    await environment.advance(1);
    expect([state.outcome, heard]).toEqual([LATE, LATE]);
  });

  it('what has arrived gets in, after a pause of the process', async () => {
    const { environment, state } = start(never, {}, 500);
    await environment.advance(650);
    expect(state.outcome).toBe('none yet');
    await environment.advance(600);
    expect(state.outcome).toBe(LATE);
  });

  it('a caller that aborts ends the work at once, and before it begins', async () => {
    const caller = new AbortController();
    const { environment, state } = start(never, { signal: caller.signal });
    await environment.settle();
    caller.abort('enough');
    await environment.settle();
    expect(state.outcome).toBe('enough');
    let hasBegun = false;
    const begin = async () => {
      hasBegun = true;
    };
    const late = start(begin, { signal: caller.signal });
    await late.environment.settle();
    expect([late.state.outcome, hasBegun]).toEqual(['enough', false]);
  });

  it('leaves no timer behind when the work has ended', async () => {
    const { environment } = start(async () => 'done');
    await environment.settle();
    expect(environment.pending).toBe(0);
  });
});
