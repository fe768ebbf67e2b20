export type { SwitchableRules } from '../lease/store.js';
export { HttpLeaseProvider, type HttpLeaseProviderOptions } from './http.js';
export { BadResponseError } from './http-answer.js';
export { HttpLeaseError } from './http-problem.js';
export { MemoryLeaseProvider, type MemoryLeaseProviderOptions, type MemorySnapshot } from './memory.js';
