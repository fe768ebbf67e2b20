// kazahana/testing: for those who test programs that use kazahana, or write a lease provider of their own.
export * from './conformance.js';
export * from './virtual-environment.js';
