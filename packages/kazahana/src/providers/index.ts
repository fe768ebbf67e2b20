export { HttpLeaseProvider, type HttpLeaseProviderOptions } from './http.js';
export { BadResponseError } from './http-answer.js';
export { HttpLeaseError } from './http-problem.js';
export {
  MemoryLeaseProvider,
  type MemoryLeaseProviderOptions,
  type MemorySnapshot,
  type SwitchableRules,
} from './memory.js';
