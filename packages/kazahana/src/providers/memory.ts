// Leases kept in this process: for tests, and for programs that are one process.
import { LeaseEngine } from '../lease/engine.js';
import { checkProviderOptions, type LeaseEngineOptions } from '../lease/provider-options.js';
import { MemoryDriver } from './memory-driver.js';

export type MemoryLeaseProviderOptions = LeaseEngineOptions;

export class MemoryLeaseProvider extends LeaseEngine {
  constructor(options: MemoryLeaseProviderOptions = {}) {
    super(new MemoryDriver(checkProviderOptions('MemoryLeaseProvider', options)), options);
  }
}
