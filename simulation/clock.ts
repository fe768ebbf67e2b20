// Clocks as machines have them: skewed, drifting, stepping, frozen.
import type { World } from './world.ts';

export const START = Date.parse('2027-01-01T00:00:00Z');

export class Clock {
  #offset: number;
  readonly #rate: number;
  #frozenAt: number | undefined;
  readonly #world: World;

  constructor(world: World, offset: number, drift: number) {
    this.#world = world;
    this.#offset = offset;
    this.#rate = 1 + drift;
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  now(): number {
    return this.#frozenAt ?? this.#running();
  }

  step(ms: number): void {
    // No clock of ours goes to before the epoch of the IDs.
    this.#offset = Math.max(this.#offset + ms, -START / 1000);
    if (this.#frozenAt !== undefined) this.#frozenAt += ms;
  }

  freeze(): void {
    this.#frozenAt = this.#running();
  }

  thaw(): void {
    this.#frozenAt = undefined;
  }

  #running(): number {
    return Math.floor(START + this.#offset + this.#world.time * this.#rate);
  }
}
