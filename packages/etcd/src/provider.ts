// Leases in etcd: the engine of all stores, on the driver for this one.
import { defaultEnvironment, LeaseEngine } from 'kazahana/lease';
import { EtcdDriver } from './driver.js';
import { type EtcdLeaseProviderOptions, resolveSettings } from './options.js';

export class EtcdLeaseProvider extends LeaseEngine {
  constructor(options: EtcdLeaseProviderOptions) {
    const settings = resolveSettings(options);
    const { endpoints, prefix, username, password, tls, requestTimeout, onWarning, ...others } = options;
    super(new EtcdDriver(settings, others.environment ?? defaultEnvironment), others);
  }
}
