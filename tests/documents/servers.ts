// The servers that documents speak to, for real: started where a snippet needs them, and put in the place of the usual addresses.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSystemPackage, type SystemPackage } from '../../scripts/system-packages.ts';
import { ETCD, startEtcd } from '../services/etcd.ts';
import { MARIADB, startMariaDb } from '../services/mariadb.ts';
import { connectPostgres, POSTGRES, postgresUrl, startPostgres } from '../services/postgres.ts';
import type { Service } from '../services/process.ts';
import { REDIS, startRedis } from '../services/redis.ts';
import type { Skipped } from '../skipped.ts';

interface Server {
  readonly program: SystemPackage;
  /** The addresses that documents name. */
  readonly address: RegExp;
  start(): Promise<Service>;
  /** An address with nothing in it yet, for the snippet of this number. */
  url(service: Service, snippet: number): Promise<string>;
}

async function freshDatabase(service: Service, snippet: number): Promise<string> {
  const pool = connectPostgres(postgresUrl(service));
  await pool.query(`CREATE DATABASE snippet_${snippet}`);
  await pool.end();
  return postgresUrl(service, `snippet_${snippet}`);
}

const SERVERS: Readonly<Record<string, Server>> = {
  redis: {
    program: REDIS,
    address: /redis:\/\/[\w.]+:6379/g,
    start: startRedis,
    url: async ({ port }) => `redis://127.0.0.1:${port}`,
  },
  postgres: { program: POSTGRES, address: /postgres:\/\/[^'"]+/g, start: startPostgres, url: freshDatabase },
  etcd: {
    program: ETCD,
    address: /http:\/\/[\w.]+:2379/g,
    start: startEtcd,
    url: async ({ port }) => `http://127.0.0.1:${port}`,
  },
  mariadb: {
    program: MARIADB,
    address: /mysql:\/\/[^'"]+/g,
    start: startMariaDb,
    async url({ port, folder }, snippet) {
      // A database of MariaDB is a folder.
      mkdirSync(join(folder, `snippet_${snippet}`));
      return `mysql://root@127.0.0.1:${port}/snippet_${snippet}`;
    },
  },
};

const LEASE_SERVER = /http:\/\/127\.0\.0\.1:7420/g;

export class Servers implements AsyncDisposable {
  readonly skipped: readonly Skipped[];
  readonly #services: Readonly<Record<string, Service>>;
  #snippets = 0;
  readonly #leaseServer: string;

  constructor(services: Readonly<Record<string, Service>>, leaseServer: string, skipped: readonly Skipped[]) {
    this.#services = services;
    this.#leaseServer = leaseServer;
    this.skipped = skipped;
  }

  get postgres(): Service | undefined {
    return this.#services.postgres;
  }

  /** The code with addresses that lead somewhere; undefined where a server of it cannot be had here. */
  async atHome(code: string): Promise<string | undefined> {
    let changed = code.replaceAll(LEASE_SERVER, this.#leaseServer);
    for (const [name, { address, url }] of Object.entries(SERVERS)) {
      if (changed.search(address) < 0) continue;
      const service = this.#services[name];
      if (service === undefined) return undefined;
      changed = changed.replaceAll(address, await url(service, this.#snippets++));
    }
    return changed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.#services).map((service) => service.dispose()));
  }
}

/** Starts them all; what cannot be had is listed as skipped. `leaseServer` is where `kazahana serve` listens. */
export async function startServers(leaseServer: string): Promise<Servers> {
  const skipped: Skipped[] = [];
  const services: Record<string, Service> = {};
  const starting = Object.entries(SERVERS).map(async ([name, { program, start }]) => {
    const found = ensureSystemPackage(program);
    if (found.path === null) skipped.push({ name: `documents with ${name}`, ...found });
    else services[name] = await start();
  });
  await Promise.all(starting);
  return new Servers(services, leaseServer, skipped);
}
