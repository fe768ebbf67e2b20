// A store in memory that can be taken away and brought back, or made to hang.
import { MemoryLeaseProvider, type MemoryLeaseProviderOptions } from 'kazahana';
import { type PoolStorage, StoreError } from 'kazahana/lease';

export class BreakableStore extends MemoryLeaseProvider {
  /** What every call meets. */
  state: 'up' | 'down' | 'silent' | 'faulty' = 'up';
  calls = 0;

  constructor(options: MemoryLeaseProviderOptions = {}) {
    super(options);
  }

  protected override transact<Result>(
    name: string,
    work: (storage: PoolStorage, now: number) => Result,
  ): Promise<Result> {
    this.calls++;
    switch (this.state) {
      case 'down':
        return Promise.reject(
          new StoreError('STORE_UNAVAILABLE', 'the store is away', {
            cause: new Error('connect ECONNREFUSED'),
          }),
        );
      case 'silent':
        return new Promise(() => {});
      case 'faulty':
        return Promise.reject(new TypeError('cannot read properties of undefined'));
      default:
        return super.transact(name, work);
    }
  }
}
