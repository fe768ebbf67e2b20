export { HttpLeaseProvider, type HttpLeaseProviderOptions } from './http.js';
export { HttpLeaseError } from './http-problem.js';
export { BadResponseError } from './http-response.js';
export { MemoryLeaseProvider, type MemoryLeaseProviderOptions } from './memory.js';
export { MemoryDriver, type MemorySnapshot } from './memory-driver.js';
