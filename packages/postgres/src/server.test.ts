// What PostgreSQL, its settings and its users may do to us, and what we may not do to them.
import {
  type Facts,
  InvalidArgumentError,
  LeaseEngine,
  type LeaseInfo,
  type ReadSlot,
  StoreError,
  signRelease,
  type Wanted,
} from 'kazahana/lease';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPostgres, postgresUrl, startPostgres } from '../../../tests/services/postgres.ts';
import type { Service } from '../../../tests/services/process.ts';
import { PostgresDriver } from './driver.js';
import { PostgresLeaseProvider } from './provider.js';
import type { PostgresClient, PostgresPool } from './types.js';

let service: Service;
let main: pg.Pool;
const pools: pg.Pool[] = [];
function connect(config: pg.PoolConfig = {}, database = 'postgres'): pg.Pool {
  const pool = connectPostgres(postgresUrl(service, database), config);
  pools.push(pool);
  return pool;
}
beforeAll(async () => {
  service = await startPostgres(['fsync=off', 'full_page_writes=off']);
  main = connect();
});
afterAll(async () => {
  await service.dispose();
  await Promise.all(pools.filter(({ ended }) => !ended).map((pool) => pool.end()));
});

let names = 0;
const freshName = () => `fresh_${++names}`;
async function freshDatabase(): Promise<string> {
  const name = freshName();
  await main.query(`CREATE DATABASE ${name}`);
  return name;
}

/** A pool that writes down what is sent. */
function watched(pool: pg.Pool): PostgresPool & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    async connect(): Promise<PostgresClient> {
      const client = await pool.connect();
      return {
        query(text) {
          sent.push(text);
          return client.query(text);
        },
        release: client.release.bind(client),
        on: client.on.bind(client),
        removeListener: client.removeListener.bind(client),
      };
    },
  };
}

const NOTHING: Wanted = { slots: [], requests: [], quotas: [] };
const NO_CHANGES = { grants: 0, serialAtLeast: 0, slots: [], responses: [], forget: [], quotas: [] };

async function peek(driver: PostgresDriver): Promise<Facts> {
  const facts = await driver.read('default', NOTHING);
  await driver.abandon(facts);
  return facts;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('migrations', () => {
  it('run from twenty servers at once on an empty database, and are done once', async () => {
    const database = await freshDatabase();
    const servers = upTo(20).map(() => new PostgresLeaseProvider(connect({ max: 1 }, database)));
    const responses = await Promise.all(servers.map((server) => server.acquire({})));
    expect(new Set(responses.map(({ leases }) => leases[0]?.id)).size).toBe(20);
    expect(new Set(responses.map(({ pool }) => pool)).size).toBe(1);
    const { rows } = await connect({ max: 1 }, database).query('SELECT version FROM kazahana.schema_version');
    expect(rows).toEqual([{ version: 2 }]);
    await Promise.all(servers.map((server) => server.migrate()));
  });

  it('of two schemas have nothing in common', async () => {
    const [one, other] = ['one', 'Other'].map((schema) => new PostgresLeaseProvider(main, { schema }));
    const first = await one?.acquire({ requestId: 'request 1' });
    const second = await other?.acquire({ requestId: 'request 1' });
    expect([first?.leases[0]?.id, second?.leases[0]?.id]).toEqual([0, 0]);
    expect(first?.pool).not.toBe(second?.pool);
    const { rows } = await main.query("SELECT to_regnamespace('kazahana') AS kazahana");
    expect(rows).toEqual([{ kazahana: null }]);
  });

  it('refuse a schema that a newer version has made', async () => {
    const schema = freshName();
    await new PostgresLeaseProvider(main, { schema }).migrate();
    await main.query(`INSERT INTO ${schema}.schema_version (version) VALUES (999)`);
    const refused = { code: 'STORE_INCOMPATIBLE', message: expect.stringContaining('999') };
    await expect(new PostgresLeaseProvider(main, { schema }).acquire({})).rejects.toMatchObject(refused);
    await expect(
      new PostgresLeaseProvider(main, { schema, migrate: false }).acquire({}),
    ).rejects.toMatchObject(refused);
  });

  it('refuse a schema that is older than all releases, and say what to do', async () => {
    const schema = freshName();
    await main.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.schema_version (version integer);
      INSERT INTO ${schema}.schema_version VALUES (1)`);
    const refused = { code: 'STORE_INCOMPATIBLE', message: expect.stringContaining('DROP SCHEMA') };
    await expect(new PostgresLeaseProvider(main, { schema }).acquire({})).rejects.toMatchObject(refused);
    await expect(new PostgresLeaseProvider(main, { schema }).migrate()).rejects.toMatchObject(refused);
    const careful = new PostgresLeaseProvider(main, { schema, migrate: false });
    await expect(careful.acquire({})).rejects.toMatchObject(refused);
  });

  it('are left to an operator where they are switched off', async () => {
    const schema = freshName();
    const provider = new PostgresLeaseProvider(main, { schema, migrate: false });
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    await new PostgresLeaseProvider(main, { schema }).migrate();
    expect((await provider.acquire({})).leases).toHaveLength(1);
  });

  it('need no privileges where they are done, and calls only those on tables and schema', async () => {
    const schema = freshName();
    await new PostgresLeaseProvider(main, { schema }).migrate();
    await main.query(`CREATE ROLE app LOGIN; GRANT USAGE ON SCHEMA ${schema} TO app`);
    const app = new PostgresLeaseProvider(connect({ connectionString: undefined, ...asUser('app') }), {
      schema,
    });
    await expect(app.acquire({})).rejects.toMatchObject({ code: 'STORE_REFUSED' });
    await main.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO app`);
    expect((await app.acquire({})).leases).toHaveLength(1);
    await app.changeLayout({ bitId: 13, bitSeq: 9 });
    expect((await app.inspectPool()).held).toBe(1);
  });

  it('leave the identifier of the cluster out where this user may not read it', async () => {
    const database = await freshDatabase();
    await connect({}, database).query('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    await new PostgresDriver(connect({}, database)).migrate();
    const id = async (user: string) => {
      const pool = connect({ connectionString: undefined, ...asUser(user), database });
      return (await peek(new PostgresDriver(pool))).incarnation?.id ?? '';
    };
    await connect({}, database).query(
      `CREATE ROLE plain LOGIN; GRANT USAGE ON SCHEMA kazahana TO plain;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA kazahana TO plain`,
    );
    const full = await id('postgres');
    expect(full).toMatch(/^\d+\.00000001\./);
    expect(await id('plain')).toBe(full.replace(/^\d+\./, ''));
  });

  it('make the schema anew when an operator has dropped it', async () => {
    const schema = freshName();
    const provider = new PostgresLeaseProvider(main, { schema });
    const { pool = '', serial = 0 } = await provider.acquire({});
    await main.query(`DROP SCHEMA ${schema} CASCADE`);
    await expect(provider.acquire({})).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    // The client that has seen the lost pool stops the new one (rule R7).
    await expect(provider.acquire({ seen: { pool, serial } })).rejects.toMatchObject({
      reason: 'in quarantine',
    });
  });
});

function asUser(user: string): pg.PoolConfig {
  return { host: '127.0.0.1', port: service.port, user, database: 'postgres' };
}

describe('a transaction', () => {
  /** A clock that writes down the settings under which it is called. */
  async function watchSettings(schema: string): Promise<string> {
    await main.query(`
      CREATE TABLE ${schema}.settings AS SELECT ''::text AS isolation, ''::text AS durability LIMIT 0;
      CREATE FUNCTION ${schema}.watched_clock() RETURNS bigint LANGUAGE sql VOLATILE AS $$
        INSERT INTO ${schema}.settings
          SELECT current_setting('transaction_isolation'), current_setting('synchronous_commit');
        SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$`);
    return `${schema}.watched_clock()`;
  }

  it.each([
    ['serializable', 'off'],
    ['repeatable read', 'local'],
    ['read committed', 'remote_apply'],
  ])('is READ COMMITTED and synchronous where the defaults are %s and %s', async (isolation, durability) => {
    const schema = freshName();
    const options = `-c default_transaction_isolation=${isolation.replace(' ', '\\ ')} -c synchronous_commit=${durability}`;
    const pool = connect({ options });
    await new PostgresDriver(pool, { schema }).migrate();
    const clock = await watchSettings(schema);
    const providers = upTo(4).map(() => new LeaseEngine(new PostgresDriver(pool, { schema, clock })));
    const [provider] = providers as [LeaseEngine];
    const responses = await Promise.all(upTo(20).map((i) => (providers[i % 4] ?? provider).acquire({})));
    expect(new Set(responses.map(({ leases }) => leases[0]?.id)).size).toBe(20);
    const [first] = responses.flatMap(({ leases }) => leases);
    const { id, secret, created } = first as LeaseInfo;
    await provider.release({ id, timestamp: created, signature: signRelease(secret, id, created) });
    await provider.quarantine();
    const { rows } = await main.query(`SELECT DISTINCT isolation, durability FROM ${schema}.settings`);
    expect(rows).toEqual([{ isolation: 'read committed', durability: 'on' }]);
  });

  it('that may only read is refused with a reason', async () => {
    const provider = new PostgresLeaseProvider(connect({ options: '-c default_transaction_read_only=on' }), {
      schema: 'one',
    });
    await expect(provider.acquire({})).rejects.toMatchObject({
      code: 'STORE_REFUSED',
      message: expect.stringContaining('read-only'),
    });
  });

  it('of an acquire is two messages, the read and the write, and leaves nothing in the session', async () => {
    const pool = watched(main);
    const provider = new PostgresLeaseProvider(pool, { schema: 'one' });
    await provider.acquire({});
    pool.sent.length = 0;
    await provider.acquire({ requestId: 'request 2', throughputPerMs: 1000 });
    expect(pool.sent).toHaveLength(2);
    expect(pool.sent.join()).not.toContain('request 2');
    expect(pool.sent[1]).toMatch(/COMMIT$/);
    const alone = connect({ max: 1 });
    await new PostgresLeaseProvider(alone, { schema: 'one' }).acquire({});
    const { rows } = await alone.query(`SELECT name FROM pg_settings WHERE source = 'session'
      UNION ALL SELECT name FROM pg_prepared_statements UNION ALL SELECT locktype FROM pg_locks
        WHERE pid = pg_backend_pid() AND locktype NOT IN ('relation', 'virtualxid')`);
    expect(rows).toEqual([]);
  });

  it('that found nothing to change leaves no pool behind', async () => {
    const schema = freshName();
    const driver = new PostgresDriver(main, { schema });
    await driver.abandon(await driver.read('a pool', NOTHING));
    expect((await main.query(`SELECT FROM ${schema}.pools`)).rowCount).toBe(0);
  });

  it('whose rows an operator changed by hand is undone as a whole', async () => {
    const schema = freshName();
    const driver = new PostgresDriver(main, { schema });
    const provider = new LeaseEngine(driver);
    await provider.acquire({});
    const generation = JSON.parse((await peek(driver)).pool?.data ?? '').generation;
    const key = { generation, slot: 0 };
    const facts = await driver.read('default', { ...NOTHING, slots: [key] });
    await main.query(`UPDATE ${schema}.slots SET version = version + 1`);
    const [before] = facts.slots as [ReadSlot];
    const after = { ...before, data: 'changed' };
    const changes = { poolVersion: facts.pool?.version ?? null, ...NO_CHANGES, pool: 'changed', grants: 1 };
    expect(await driver.write('default', { ...changes, slots: [{ before, after }] }, facts)).toBe('changed');
    expect(await peek(driver)).toMatchObject({ pool: facts.pool, serial: facts.serial });
    // And with facts whose transaction has ended.
    expect(await driver.write('default', changes, facts)).toBe('changed');
  });

  it('that finds a response in the place of its own is undone as a whole', async () => {
    const schema = freshName();
    const driver = new PostgresDriver(main, { schema });
    const provider = new LeaseEngine(driver);
    await provider.acquire({});
    const response = { before: null, after: { request: 'request', created: 5, slots: [] } };
    const write = async () => {
      const facts = await driver.read('default', NOTHING);
      const poolVersion = facts.pool?.version ?? null;
      return driver.write('default', { poolVersion, ...NO_CHANGES, grants: 1, responses: [response] }, facts);
    };
    expect(await write()).toEqual({ serial: 2 });
    expect(await write()).toBe('changed');
    expect((await peek(driver)).serial).toBe(2);
  });
});

describe('texts', () => {
  it.each([
    ['quotes', `'"\\$1$$; DROP SCHEMA kazahana`],
    ['letters of the world', 'サービス é 🎐'],
    ['what PostgreSQL cannot keep', '\0\u0001\ud800'],
    ['as long as they may be', '\0'.repeat(200)],
    ['what looks escaped', '\\u0041\\n'],
  ])('of %s come back as they were, and are not taken for others', async (_, text) => {
    const schema = freshName();
    const services = { [text]: { pool: text, maxLeases: 3 } };
    const provider = new PostgresLeaseProvider(main, { schema, services });
    const call = { account: { name: text, maxLeases: 3 } };
    // As long as `meta` may be, where each character takes six bytes of JSON.
    const part = text.slice(0, 80);
    const request = { serviceId: text, requestId: text, meta: { [part]: part } };
    const first = await provider.acquire(request, call);
    expect((await provider.acquire(request, call)).leases).toEqual(first.leases);
    const other = await provider.acquire({ ...request, requestId: `${text.slice(0, -1)}\ud801` }, call);
    expect(other.leases[0]?.id).toBe(1);
    expect(await provider.listLeases(text)).toMatchObject([
      { id: 0, serviceId: text, holder: { [part]: part } },
      { id: 1, serviceId: text, holder: { [part]: part } },
    ]);
    await expect(
      provider.acquire({ serviceId: text, seen: { pool: '0'.repeat(32), serial: 1 } }),
    ).rejects.toMatchObject({
      pool: text,
      reason: 'in quarantine',
    });
  });
});

describe('a call', () => {
  it('that was aborted before sends nothing', async () => {
    const pool = watched(main);
    const provider = new PostgresLeaseProvider(pool, { schema: 'one' });
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    await expect(provider.acquire({}, { signal })).rejects.toThrow('no longer wanted');
    await expect(provider.release({ id: 0, signature: '', timestamp: 0 }, { signal })).rejects.toThrow();
    expect(pool.sent).toEqual([]);
  });

  it('that is aborted lets its caller go, and gives its connection back when the server has responded', async () => {
    const pool = connect({ max: 1 });
    const provider = new PostgresLeaseProvider(pool, { schema: 'one' });
    await provider.acquire({});
    const client = await main.connect();
    await client.query('BEGIN; SELECT FROM one.pools FOR UPDATE');
    const controller = new AbortController();
    const acquire = provider.acquire({}, { signal: controller.signal });
    const waiting = provider.acquire({}, { signal: controller.signal });
    controller.abort(new Error('no longer wanted'));
    await expect(acquire).rejects.toThrow('no longer wanted');
    await expect(waiting).rejects.toThrow('no longer wanted');
    await client.query('ROLLBACK');
    client.release();
    expect((await provider.acquire({})).leases).toHaveLength(1);
  });

  it('of a pool that was ended, or that cannot connect, says so', async () => {
    const ended = connect();
    await ended.end();
    await expect(new PostgresLeaseProvider(ended).acquire({})).rejects.toMatchObject({
      code: 'STORE_CLOSED',
    });
    const unreachable = connect({ connectionString: 'postgres://postgres@127.0.0.1:1/postgres' });
    const error = await new PostgresLeaseProvider(unreachable).acquire({}).catch((reason) => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', cause: { code: 'ECONNREFUSED' } });
    const stranger = connect({ connectionString: undefined, ...asUser('stranger') });
    await expect(new PostgresLeaseProvider(stranger).acquire({})).rejects.toMatchObject({
      code: 'STORE_REFUSED',
    });
  });

  it('whose connection the server ends fails, and the next one works', async () => {
    const pool = connect({ max: 1, application_name: 'victim' });
    const provider = new PostgresLeaseProvider(pool, { schema: 'one' });
    await provider.acquire({});
    const client = await main.connect();
    await client.query('BEGIN; SELECT FROM one.pools FOR UPDATE');
    const acquire = provider.acquire({}).catch((error) => error);
    const isWaiting =
      "SELECT FROM pg_stat_activity WHERE application_name = 'victim' AND wait_event_type = 'Lock'";
    while ((await main.query(isWaiting)).rowCount === 0);
    await main.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'",
    );
    expect(await acquire).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await client.query('ROLLBACK');
    client.release();
    expect((await provider.acquire({})).leases).toHaveLength(1);
  });

  it('needs a pool', () => {
    expect(() => new PostgresLeaseProvider({} as PostgresPool)).toThrow(InvalidArgumentError);
    expect(() => new PostgresLeaseProvider(main, { migrate: 'no' as unknown as boolean })).toThrow(
      InvalidArgumentError,
    );
  });
});
