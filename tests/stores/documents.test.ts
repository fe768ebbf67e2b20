// The snippets of documents that speak to a database server, run against real ones: their usual addresses are replaced.
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/run.ts';
import { findSnippets, needsServer, type Snippet, toModule } from '../documents/snippets.ts';
import { startEtcd } from '../services/etcd.ts';
import { postgresUrl, startPostgres } from '../services/postgres.ts';
import type { Service } from '../services/process.ts';
import { startRedis } from '../services/redis.ts';

const folder = join(root, 'tests/.work/store-snippets');

const snippets = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: root })
  .sort()
  .flatMap((path) => findSnippets(path, readFileSync(join(root, path), 'utf8')))
  .filter((snippet) => snippet.language === 'ts' && needsServer(snippet));

describe('documents that speak to a server', () => {
  let servers: { redis: Service; postgres: Service; etcd: Service };
  beforeAll(async () => {
    const [redis, postgres, etcd] = await Promise.all([startRedis(), startPostgres(), startEtcd()]);
    servers = { redis, postgres, etcd };
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  });
  afterAll(() => Promise.all(Object.values(servers).map((service) => service.dispose())));

  const atHome = (code: string) =>
    code
      .replaceAll(/redis:\/\/[\w.]+:6379/g, `redis://127.0.0.1:${servers.redis.port}`)
      .replaceAll(/postgres:\/\/[^'"]+/g, postgresUrl(servers.postgres))
      .replaceAll(/http:\/\/[\w.]+:2379/g, `http://127.0.0.1:${servers.etcd.port}`);

  const run = async (snippet: Snippet) => {
    const path = join(folder, `${snippet.origin.replace(/[^\w]+/g, '-')}.ts`);
    writeFileSync(path, atHome(toModule(snippet)));
    return promisify(execFile)(process.execPath, [path], { cwd: folder, timeout: 20_000 });
  };

  for (const snippet of snippets) {
    it(snippet.origin, async () => {
      const { stdout } = await run(snippet);
      expect(stdout).toMatch(/\d{10,}/);
    });
  }
});
