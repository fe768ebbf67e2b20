export { FixedLeaseProvider, type FixedLeaseProviderOptions } from './fixed.js';
export { HttpLeaseProvider, type HttpLeaseProviderOptions } from './http.js';
export { HttpLeaseError } from './http-problem.js';
export { BadResponseError } from './http-response.js';
export { MemoryLeaseProvider, type MemoryLeaseProviderOptions } from './memory.js';
export { MemoryDriver, type MemorySnapshot } from './memory-driver.js';
export { MintingClient, type MintingClientOptions, type MintOptions } from './minting.js';
