// kazahana/testing: for tests of programs that use kazahana, and of stores and lease providers that others write.

export { resetUuidV7 } from '../uuid/v7.js';
export * from '../virtual-environment.js';
export * from './conformance.js';
export * from './driver-conformance.js';
