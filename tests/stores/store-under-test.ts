// What the tests that drive every store need of each: a real server to start, an empty store on it for every case,
// and a way in from another process.
import type { LeaseInspector, LeaseProvider, PoolsOptions } from 'kazahana/lease';
import type { ConformanceSubject } from 'kazahana/testing';

export interface StoreUnderTest {
  readonly name: string;
  /** Starts the real server, if the store has one. */
  start(): Promise<StartedStore>;
  /** A provider on a started store, in any process; all that connect to one address share their pools. */
  connect(address: string, options: PoolsOptions): Promise<Connection>;
}

export interface Connection {
  readonly provider: LeaseProvider & LeaseInspector;
  close(): Promise<void>;
}

export interface StartedStore {
  /** All that another process needs to know. */
  readonly address: string;
  /** An empty store on the server, with the store's own clock. */
  subject(options: PoolsOptions): Promise<ConformanceSubject>;
  /** An empty store whose clock stands still until the test moves it. */
  virtualSubject(options: PoolsOptions): Promise<ConformanceSubject>;
  stop(): Promise<void>;
}

export const STORES = ['sqlite', 'redis', 'postgres', 'etcd'] as const;
export type StoreName = (typeof STORES)[number];

/** Loaded when it is needed: a process that storms one store needs the client of that one only. */
export async function loadStore(name: StoreName): Promise<StoreUnderTest> {
  const module = (await import(/* @vite-ignore */ `./${name}.ts`)) as Readonly<
    Record<string, StoreUnderTest>
  >;
  const store = module[name];
  if (!store) throw new Error(`there is no store ${name}`);
  return store;
}
