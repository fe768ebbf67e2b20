// Leases kept in this process: for tests, and for programs that are one process.
import { LeaseEngine, type LeaseEngineOptions } from '../lease/engine.js';
import { MemoryDriver } from './memory-driver.js';

export type MemoryLeaseProviderOptions = LeaseEngineOptions;

export class MemoryLeaseProvider extends LeaseEngine {
  constructor(options: MemoryLeaseProviderOptions = {}) {
    super(new MemoryDriver(options), options);
  }
}
