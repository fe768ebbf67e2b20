// The client and the codec of external IDs as providers. Nest makes one client for the whole program, waits until it has a lease, and
// shuts it down when the program ends: see `enableShutdownHooks` in main.ts.
import { PostgresLeaseProvider } from '@kazahana/postgres';
import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createExternalIdCodec, type ExternalIdCodec, KazahanaClient } from 'kazahana';
import pg from 'pg';

/** The external IDs of orders: one such token for each kind of thing. */
export const ORDER_IDS = Symbol('the external IDs of orders');

const pool = {
  provide: pg.Pool,
  useFactory: () => new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 }),
};

const client = {
  provide: KazahanaClient,
  inject: [pg.Pool],
  useFactory: async (connections: pg.Pool): Promise<KazahanaClient> => {
    const provider = new PostgresLeaseProvider(connections);
    const made = new KazahanaClient({ provider, serviceId: 'orders', disableRandomFallback: true });
    await made.ready();
    return made;
  },
};

const orderIds = {
  provide: ORDER_IDS,
  // Without ORDER_SECRET this throws, rather than showing the order of the orders.
  useFactory: (): ExternalIdCodec =>
    createExternalIdCodec({ prefix: 'order', secret: process.env.ORDER_SECRET ?? '' }),
};

@Global()
@Module({ providers: [pool, client, orderIds], exports: [client, orderIds] })
export class IdsModule implements OnApplicationShutdown {
  readonly #client: KazahanaClient;
  readonly #pool: pg.Pool;

  constructor(@Inject(KazahanaClient) ids: KazahanaClient, @Inject(pg.Pool) connections: pg.Pool) {
    this.#client = ids;
    this.#pool = connections;
  }

  /** After the last request: the lease is released, and the next process can have it. */
  async onApplicationShutdown(): Promise<void> {
    await this.#client.shutdown();
    await this.#pool.end();
  }
}
