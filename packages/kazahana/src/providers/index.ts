export { HttpLeaseProvider, type HttpLeaseProviderOptions } from './http.js';
export { BadResponseError } from './http-answer.js';
export { HttpLeaseError } from './http-problem.js';
export { MemoryLeaseProvider, type MemoryLeaseProviderOptions } from './memory.js';
export { MemoryDriver, type MemorySnapshot } from './memory-driver.js';
