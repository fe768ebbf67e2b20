// @kazahana/etcd: leases in etcd, with consensus below them.
export type { EtcdLeaseProviderOptions, EtcdTlsOptions } from './options.js';
export { EtcdLeaseProvider } from './provider.js';
