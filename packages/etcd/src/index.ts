// @kazahana/etcd: leases in etcd, for those who want consensus below them.
export type { EtcdLeaseProviderOptions, EtcdTlsOptions } from './options.js';
export { EtcdLeaseProvider, type EtcdTraffic } from './provider.js';
