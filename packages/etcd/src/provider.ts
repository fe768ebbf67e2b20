// Leases in etcd: the engine of all stores, on the driver for this one.
import { checkProviderOptions, defaultEnvironment, LeaseEngine } from 'kazahana/lease';
import { EtcdDriver } from './driver.js';
import { type EtcdLeaseProviderOptions, OWN_NAMES, resolveSettings } from './options.js';

export class EtcdLeaseProvider extends LeaseEngine {
  constructor(options: EtcdLeaseProviderOptions) {
    const engineOptions = checkProviderOptions('EtcdLeaseProvider', options, OWN_NAMES);
    super(new EtcdDriver(resolveSettings(options), options.environment ?? defaultEnvironment), engineOptions);
  }
}
