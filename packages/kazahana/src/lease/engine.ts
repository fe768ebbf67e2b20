// A lease provider on any store: the calls of the protocol and of operators, each run on its pool. What a store does of
// this is its driver's business.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { checkEnvironment, type Environment, randomHex } from '../environment.js';
import { AcquireCall, ReleaseCall } from './calls.js';
import { changeLayout } from './change-layout.js';
import { DEFAULT_POOL, type ResolvedPools, resolvePools } from './config.js';
import type { LeaseDriver } from './driver.js';
import { StoreError } from './errors.js';
import { keysOfPools } from './loss-proof.js';
import { createPool, inspectCall, listLeases, probe, RevokeCall, whois } from './operate.js';
import type { CallContext, PoolCall } from './pool-call.js';
import { PoolRunner } from './pool-runner.js';
import { checkEngineOptions, checkProviderOptions, type LeaseEngineOptions } from './provider-options.js';
import { believedAcquire, checkPage, checkRelease } from './requests.js';
import { type PoolRecord, quarantine } from './rules.js';
import { RULES, type SwitchableRules } from './switchable-rules.js';
import type {
  AcquireOptions,
  AcquireResponse,
  CallOptions,
  InspectedLease,
  InspectedPool,
  LayoutChange,
  LeaseInspector,
  LeasePage,
  LeaseProvider,
  ReleaseOptions,
  WhoisResult,
} from './types.js';

export class LeaseEngine implements LeaseProvider, LeaseInspector {
  protected readonly environment: Environment;
  protected readonly configured: ResolvedPools;
  readonly #driver: LeaseDriver;
  readonly #options: LeaseEngineOptions;
  readonly #context: CallContext;
  readonly #runners = new Map<string, PoolRunner>();
  #isClosed = false;

  /** `rules` is for the simulator, which shows what each rule is for by breaking it. */
  constructor(driver: LeaseDriver, options: LeaseEngineOptions = {}, rules: Partial<SwitchableRules> = {}) {
    const { lossKey, serviceShare } = checkProviderOptions('a lease provider', options);
    checkEngineOptions(options);
    const environment = checkEnvironment(options.environment);
    const { maxSlotsPerWrite } = driver;
    this.#driver = driver;
    this.#options = options;
    this.environment = environment;
    this.configured = resolvePools(options);
    const [all, lossKeyOf] = [{ ...RULES, ...rules }, keysOfPools(lossKey)];
    this.#context = { environment, rules: all, lossKeyOf, serviceShare, maxSlotsPerWrite };
  }

  async acquire(options: AcquireOptions, call: CallOptions = {}): Promise<AcquireResponse> {
    const request = believedAcquire(options);
    const service = this.configured.service(request.serviceId);
    // A request without a name gets one: it tells whether a write happened whose outcome was lost.
    const { requestId = randomHex(this.environment, 16) } = request;
    // Within its service only: a response carries secrets. As a hash: to know the name of a request is to get its response.
    const key = bytesToHex(sha256(utf8ToBytes(JSON.stringify([service.serviceId, requestId]))));
    return this.#run(service.pool, new AcquireCall(this.#context, request, service, call, key), call.signal);
  }

  async release(options: ReleaseOptions, { signal }: CallOptions = {}): Promise<void> {
    const { serviceId } = checkRelease(options);
    const { pool } = this.configured.service(serviceId);
    return this.#run(pool, new ReleaseCall(this.#context, options), signal);
  }

  async createPool({ pool = DEFAULT_POOL, afterLoss = false } = {}): Promise<InspectedPool> {
    this.#checkOpen();
    await createPool(this.#driver, this.environment, pool, { ...this.configured.pool(pool), afterLoss });
    return this.inspectPool(pool);
  }

  async inspectPool(pool = DEFAULT_POOL): Promise<InspectedPool> {
    const isCounted = this.#context.serviceShare !== undefined;
    return this.#run(pool, inspectCall(pool, isCounted ? this.configured.servicesOf(pool) : undefined));
  }

  async listLeases(pool = DEFAULT_POOL, page: LeasePage = {}): Promise<readonly InspectedLease[]> {
    return listLeases(this.#driver, pool, (call) => this.#run(pool, call), checkPage(page));
  }

  async whois(id: bigint, pool = DEFAULT_POOL): Promise<WhoisResult> {
    return whois(id, pool, (call) => this.#run(pool, call));
  }

  /** Throws when the store cannot be written; nothing of the pool changes. */
  async checkWritable(pool = DEFAULT_POOL): Promise<void> {
    return probe(this.#driver, pool);
  }

  async quarantine(pool = DEFAULT_POOL): Promise<InspectedPool> {
    const { maxWindow } = this.configured.pool(pool);
    const change = (record: PoolRecord, now: number) => quarantine(record, now, maxWindow);
    return this.#run(pool, inspectCall(pool, undefined, change));
  }

  async revoke({ id, pool = DEFAULT_POOL }: { id: number; pool?: string }): Promise<void> {
    return this.#run(pool, new RevokeCall(id));
  }

  async changeLayout({ pool = DEFAULT_POOL, ...widths }: LayoutChange): Promise<InspectedPool> {
    const { environment } = this;
    const parts = { driver: this.#driver, environment, relayoutSlots: this.#context.rules.relayoutSlots };
    await changeLayout(parts, pool, widths, (call) => this.#run(pool, call));
    return this.inspectPool(pool);
  }

  /** Finishes the calls that are under way, then closes the driver. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#runners.values()].map(({ settled }) => settled));
    await this.#driver.close?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreError('STORE_CLOSED', 'this provider has been closed');
  }

  async #run<Result>(pool: string, call: PoolCall<Result>, signal?: AbortSignal): Promise<Result> {
    this.#checkOpen();
    // A pool that is not configured is refused before anything is read.
    const configured = this.configured.pool(pool);
    const { createPools = 'auto', afterFailOver = 'quarantine', onLoss = () => {} } = this.#options;
    const { environment, rules } = this.#context;
    const settings = { configured, createPools, afterFailOver, onLoss };
    const parts = { driver: this.#driver, environment, rules, ...settings };
    const runner = this.#runners.get(pool) ?? new PoolRunner(pool, parts);
    this.#runners.set(pool, runner);
    return runner.run(call, signal);
  }
}
