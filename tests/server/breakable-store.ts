// A store in memory that can be taken away and brought back, or made to hang.
import { MemoryDriver, type MemoryLeaseProviderOptions } from 'kazahana';
import { type Changes, type Facts, LeaseEngine, StoreError, type Wanted } from 'kazahana/lease';

type State = 'up' | 'down' | 'silent' | 'faulty' | 'read-only';

class BreakableDriver extends MemoryDriver {
  /** What every call meets. */
  state: State = 'up';
  calls = 0;

  override async read(pool: string, wanted: Wanted): Promise<Facts> {
    await this.#meet();
    return super.read(pool, wanted);
  }

  override async write(pool: string, changes: Changes, facts: Facts) {
    await this.#meet();
    if (this.state === 'read-only') throw new StoreError('STORE_FULL', 'the disk is full');
    return super.write(pool, changes, facts);
  }

  async #meet(): Promise<void> {
    this.calls++;
    if (this.state === 'down') {
      const cause = new Error('connect ECONNREFUSED');
      throw new StoreError('STORE_UNAVAILABLE', 'the store is away', { cause });
    }
    if (this.state === 'silent') await new Promise(() => {});
    if (this.state === 'faulty') throw new TypeError('cannot read properties of undefined');
  }
}

export class BreakableStore extends LeaseEngine {
  readonly #driver: BreakableDriver;

  constructor(options: MemoryLeaseProviderOptions = {}) {
    const driver = new BreakableDriver(options);
    super(driver, options);
    this.#driver = driver;
  }

  get calls(): number {
    return this.#driver.calls;
  }

  set state(state: State) {
    this.#driver.state = state;
  }
}
