import { afterEach, describe, expect, it } from 'vitest';
import { summarise, viewOf } from './pool-state.js';
import { DEFAULTS, Simulation, type SimulationSettings } from './simulation.js';

const running: Simulation[] = [];
afterEach(async () => {
  for (const simulation of running.splice(0)) await simulation.close();
});

async function run(settings: SimulationSettings, steps: number) {
  const simulation = new Simulation(settings);
  running.push(simulation);
  for (let i = 0; i < steps; i++) await simulation.step(1000, settings);
  const view = viewOf(undefined, await simulation.look(), 0);
  return { simulation, view, summary: summarise(view, simulation.now) };
}

describe('a simulated pool', () => {
  it('has one number for each client, and all of them make IDs', async () => {
    const { simulation, summary } = await run({ ...DEFAULTS, clients: 20, crashesPerMinute: 0 }, 5);
    expect(summary).toMatchObject({
      held: 20,
      kept: 0,
      services: [
        { serviceId: 'orders', held: 7 },
        { serviceId: 'search', held: 6 },
        { serviceId: 'users', held: 7 },
      ],
    });
    expect(simulation.idsMade).toBeGreaterThanOrEqual(20 * 4);
    expect(simulation.elapsedMs).toBe(5000);
  });

  it('keeps the numbers of the crashed, first held, then for fallback', async () => {
    const { summary } = await run({ clients: 10, crashesPerMinute: 30, leaseSeconds: 10 }, 30);
    expect(summary.held).toBeGreaterThan(10);
    expect(summary.kept).toBeGreaterThan(0);
  });

  it('runs out when there are more clients than numbers', async () => {
    const { summary } = await run({ ...DEFAULTS, clients: 150, crashesPerMinute: 0 }, 3);
    expect(summary).toMatchObject({ free: 0, remainingPerMs: 0 });
  });

  it('gives numbers back when clients leave', async () => {
    const { simulation } = await run({ ...DEFAULTS, clients: 30, crashesPerMinute: 0 }, 3);
    await simulation.step(1000, { ...DEFAULTS, clients: 5, crashesPerMinute: 0 });
    const view = viewOf(undefined, await simulation.look(), 0);
    expect(summarise(view, simulation.now).held).toBe(5);
  });
});
