// `kazahana serve` as a process: what it says, what it keeps, how it ends.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqliteLeaseProvider } from '@kazahana/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder } from '../services/process.ts';
import { acquire, heldIds, mint, release } from './lease-calls.ts';
import { untilCallsFail } from './metric-lines.ts';
import { killServers, ServerProcess } from './process.ts';
import { openSocket, type RawSocket, readResponse } from './raw-socket.ts';

afterAll(killServers);
const folder = await dataFolder('serve');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);
const on = (path: string, ...more: string[]) => ['--port', '0', '--store', `sqlite:${path}`, ...more];

describe('kazahana serve', () => {
  it('acquires, releases, mints; and killed and started again, still knows its leases', async () => {
    const path = newPath();
    const started = performance.now();
    const first = ServerProcess.serve(on(path));
    const url = await first.url();
    console.log(`listening ${(performance.now() - started).toFixed(0)} ms after its start`);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const kept = await acquire(url, { meta: { host: 'web-1' } });
    const given = await acquire(url);
    expect(await release(url, given)).toBe(204);
    expect((await mint(url, 5)).length).toBe(5);
    await first.kill();

    const again = ServerProcess.serve(on(path));
    const sameStore = await again.url();
    expect(await heldIds(sameStore)).toContain(kept.id);
    expect(await heldIds(sameStore)).not.toContain(given.id);
    expect((await acquire(sameStore)).id).not.toBe(kept.id);
    expect(await release(sameStore, kept)).toBe(204);
    expect(await heldIds(sameStore)).not.toContain(kept.id);
    again.signal('SIGTERM');
    expect(await again.exited).toEqual({ code: 0, signal: null });
    // Nothing on standard output but the log.
    expect(again.talk).toBe('');
  });

  it('responds to its own names only while it has no tokens', async () => {
    const server = ServerProcess.serve(['--port', '0', '--store', 'memory:']);
    const url = await server.url();
    const ask = async (host: string) => {
      const words = `GET /pool HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
      const { status, body } = readResponse(await (await openSocket(url, words)).ended);
      return `${status} ${JSON.parse(body).code ?? ''}`;
    };
    expect(await ask('evil.example')).toBe('421 MISDIRECTED');
    expect(await ask(`localhost:${new URL(url).port}`)).toBe('200 ');
    await server.kill();
  });
});

describe('SIGTERM', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

  /** Keeps whatever the server does waiting. */
  function lock(path: string): () => void {
    const database = new DatabaseSync(path, { timeout: 20_000 });
    database.exec('BEGIN EXCLUSIVE');
    return () => {
      database.exec('ROLLBACK');
      database.close();
    };
  }

  /** An acquire that the server has begun to serve: it has read the headers, and says so. */
  async function beginAcquire(url: string): Promise<RawSocket> {
    const head = 'POST /lease HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
    const begun = await openSocket(url, `${head}content-length: 2\r\nexpect: 100-continue\r\n\r\n`);
    await begun.until((text) => text.startsWith(CONTINUE));
    begun.socket.write('{}');
    return begun;
  }

  it('lets a request end, ends streams and idle connections, gives back the leases of /ids, and exits 0', async () => {
    const path = newPath();
    const server = ServerProcess.serve(on(path));
    const url = await server.url();
    await mint(url, 1);
    const events = (await fetch(`${url}/pool/events`)).body?.getReader();
    const first = await events?.read();
    expect(new TextDecoder().decode(first?.value)).toContain('event: pool');
    const silent = await openSocket(url);
    const unlock = lock(path);
    const underWay = await beginAcquire(url);
    server.signal('SIGTERM');
    expect(await events?.read()).toEqual({ done: true, value: undefined });
    expect(await silent.ended).toBe('');
    await expect(openSocket(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    unlock();
    const { body } = readResponse((await underWay.ended).slice(CONTINUE.length));
    const { id } = JSON.parse(body).leases[0];
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.lines.map(({ msg }) => msg)).toEqual([
      'listening',
      'stopping: not ready any more, finishing what is under way',
      'stopped',
    ]);
    const after = ServerProcess.serve(on(path));
    expect(await heldIds(await after.url())).toEqual([id]);
    await after.kill();
  });

  it('a second time ends it at once', async () => {
    const path = newPath();
    const server = ServerProcess.serve(on(path));
    const url = await server.url();
    await acquire(url);
    const unlock = lock(path);
    const underWay = await beginAcquire(url);
    server.signal('SIGTERM');
    await server.line('stopping: not ready any more, finishing what is under way');
    server.signal('SIGTERM');
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(await underWay.ended).toBe(CONTINUE);
    unlock();
  });

  it('is heard while the store keeps the start waiting', async () => {
    const path = newPath();
    const unlock = lock(path);
    const server = ServerProcess.serve(on(path));
    await server.url();
    server.signal('SIGINT');
    unlock();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a store that is not there yet', () => {
  it('is waited for: one line when it is missed, one when it is there, and readiness follows', async () => {
    const later = join(folder, 'later');
    const server = ServerProcess.serve(on(join(later, 'leases.db')));
    const url = await server.url();
    const status = async (path: string) => (await fetch(url + path)).status;
    await server.line('the store cannot be used; trying again until it can');
    expect([await status('/livez'), await status('/readyz')]).toEqual([200, 503]);
    const refused = await fetch(`${url}/lease`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await refused.json()).toMatchObject({ status: 503, code: 'STORE_UNAVAILABLE' });
    await untilCallsFail(url, 3);
    mkdirSync(later);
    await server.line('the store can be used again');
    expect(await status('/readyz')).toBe(200);
    await acquire(url);
    server.signal('SIGTERM');
    await server.exited;
    const said = server.lines.map(({ msg }) => msg).filter((msg) => msg.includes('store'));
    expect(said).toEqual([
      'the store cannot be used; trying again until it can',
      'the store can be used again',
    ]);
  });
});

describe('tokens', () => {
  it('are replaced on SIGHUP, without a restart: leases go on, streams end; what cannot be read leaves the old ones', async () => {
    const file = `${newPath()}.json`;
    const [old, next] = ['the-old-token-of-web', 'the-new-token-of-web'];
    const scopes = ['acquire', 'observe'];
    const install = (...texts: string[]) =>
      writeFileSync(
        file,
        JSON.stringify({ tokens: texts.map((token, i) => ({ name: `web-${i}`, token, scopes })) }),
      );
    install(old);
    const server = ServerProcess.serve(['--port', '0', '--store', 'memory:', '--config', file]);
    const url = await server.url();
    const as = (token: string, path: string, init: RequestInit = {}) =>
      fetch(url + path, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
    const statuses = async () => [(await as(old, '/pool')).status, (await as(next, '/pool')).status];
    const { leases } = await (await as(old, '/lease', { method: 'POST', body: '{}' })).json();
    const watching = (await as(old, '/pool/events')).body?.getReader();
    await watching?.read();

    install(old, next);
    server.signal('SIGHUP');
    expect((await server.line('tokens read again')).tokens).toBe(2);
    expect(await statuses()).toEqual([200, 200]);
    for (let read = await watching?.read(); read && !read.done; read = await watching?.read());

    install(next);
    server.signal('SIGHUP');
    expect((await server.line('tokens read again', 2)).tokens).toBe(1);
    expect(await statuses()).toEqual([401, 200]);

    writeFileSync(file, '{');
    server.signal('SIGHUP');
    await server.line('the tokens cannot be read; the old ones stay');
    writeFileSync(file, '{}');
    server.signal('SIGHUP');
    await server.line('the tokens cannot be read; the old ones stay', 2);
    expect(await statuses()).toEqual([401, 200]);
    const { leases: held } = await (await as(next, '/pool')).json();
    expect(held.map(({ id }: { id: number }) => id)).toEqual([leases[0].id]);
    expect(JSON.stringify(server.lines)).not.toContain('token-of-web');
    await server.kill();
  });
});

describe('a start that cannot be', () => {
  const token = 'a-token-that-no-log-may-show';
  const config = (content: object) => {
    const path = `${newPath()}.json`;
    writeFileSync(path, JSON.stringify(content));
    return ['--config', path];
  };
  const outcome = async (flags: readonly string[], environment: Record<string, string> = {}) => {
    const server = ServerProcess.serve(flags, environment);
    const { code } = await server.exited;
    expect(server.talk).not.toContain('hush');
    expect(server.talk).not.toContain(token);
    return { code, talk: server.talk };
  };

  it.concurrent('because of a password on the command line: exit 2, and it is not repeated', async () => {
    const { code, talk } = await outcome(['--store', 'postgres://user:hush@db/leases']);
    expect([code, talk]).toEqual([2, expect.stringContaining('KAZAHANA_STORE')]);
  });

  it.concurrent('because of its configuration: exit 2', async () => {
    const { code, talk } = await outcome(config({ tokens: [{ name: 'a', token, scopes: ['all'] }] }));
    expect([code, talk]).toEqual([2, expect.stringContaining('tokens.0.scopes.0')]);
  });

  it.concurrent('because of a flag that is none: exit 2', async () => {
    expect(await outcome(['--prot', '5'])).toMatchObject({
      code: 2,
      talk: expect.stringContaining('--port'),
    });
  });

  it.concurrent('because its port is taken: exit 1', async () => {
    const first = ServerProcess.serve(['--port', '0', '--store', 'memory:']);
    const { port } = new URL(await first.url());
    const { code, talk } = await outcome(['--port', port, '--store', 'memory:']);
    expect([code, talk]).toEqual([1, expect.stringContaining('EADDRINUSE')]);
    await first.kill();
  });

  it.concurrent('because its store has other pins: exit 1, and it says why that is', async () => {
    const path = newPath();
    const first = ServerProcess.serve(on(path));
    await acquire(await first.url());
    await first.kill();
    const flags = on(path, ...config({ pools: { default: { bitTs: 40, bitId: 15 } } }));
    const { code, talk } = await outcome(flags);
    expect(code).toBe(1);
    expect(talk).toContain('bitTs is 41 for this pool and cannot be 40');
    expect(talk).toContain('A pool keeps the epoch and the bits of its timestamp for ever');
  });
});

describe('kazahana serve --check', () => {
  const check = async (flags: readonly string[], environment: Record<string, string> = {}) => {
    const server = ServerProcess.serve([...flags, '--check'], environment);
    const { code } = await server.exited;
    return { code, lines: server.talk.trimEnd().split('\n') };
  };

  it.concurrent('says what is served, from where, to whom; exit 0', async () => {
    const path = newPath();
    expect(await check(on(path))).toEqual({
      code: 0,
      lines: [
        'listen     http://127.0.0.1:0',
        'tokens     none: every program that can connect may do everything',
        'services   default',
        `store      sqlite:${path}`,
        'pool       default: is not there yet; the server creates it',
        'all is well',
      ],
    });
  });

  it.concurrent('names tokens and never shows one', async () => {
    const path = `${newPath()}.json`;
    const token = 'a-token-that-no-log-may-show';
    const tokens = [{ name: 'web', token, scopes: ['acquire'] }];
    writeFileSync(path, JSON.stringify({ store: 'memory:', host: '0.0.0.0', tokens }));
    const { code, lines } = await check(['--config', path]);
    expect([code, lines[1]]).toEqual([0, 'tokens     web']);
    expect(lines.join('\n')).not.toContain(token);
  });

  it.concurrent('exits 3 when the store cannot be reached, and says why', async () => {
    const { code, lines } = await check(on(join(folder, 'nowhere', 'x.db')));
    expect(code).toBe(3);
    expect(lines.at(-1)).toMatch(/^wrong {6}.*cannot be opened/);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it.concurrent('exits 1 when the store contradicts the configuration', async () => {
    const path = newPath();
    await using provider = new SqliteLeaseProvider({ path });
    await provider.createPool();
    const config = `${newPath()}.json`;
    writeFileSync(config, JSON.stringify({ pools: { default: { bitTs: 40, bitId: 15 } } }));
    const { code, lines } = await check(on(path, '--config', config));
    expect([code, lines.at(-1)]).toEqual([1, expect.stringContaining('cannot be 40')]);
  });
});
