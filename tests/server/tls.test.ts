// TLS and mutual TLS, from files that are read again on SIGHUP.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectRaw } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dataFolder } from '../services/process.ts';
import { type Certificate, makeAuthority, makeCertificate } from './certificates.ts';
import { killServers, ServerProcess } from './process.ts';
import { isThere } from './programs.ts';
import { exchange } from './raw-socket.ts';

afterAll(killServers);
const folder = await dataFolder('tls');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pair = (name: string): Certificate => ({
  cert: join(folder, `${name}.pem`),
  key: join(folder, `${name}.key`),
});
const authority = pair('authority');
const certificates = {
  first: pair('first'),
  second: pair('second'),
  friend: pair('friend'),
  foe: pair('foe'),
};

let servers = 0;

/** A server whose certificate stands in files that can be replaced. */
async function serveWith({ cert, key }: Certificate, ...more: string[]) {
  const files = { cert: join(folder, `server-${++servers}.pem`), key: join(folder, `server-${servers}.key`) };
  const install = (next: Certificate) => {
    copyFileSync(next.cert, files.cert);
    copyFileSync(next.key, files.key);
  };
  install({ cert, key });
  const tls = ['--tls-cert', files.cert, '--tls-key', files.key];
  const server = ServerProcess.serve(['--port', '0', '--store', 'memory:', ...tls, ...more]);
  return { server, url: await server.url(), files, install };
}

const trusting = (identity?: Certificate) => ({
  ca: readFileSync(authority.cert),
  ...(identity && { cert: readFileSync(identity.cert), key: readFileSync(identity.key) }),
});

/** The status, or the code of what went wrong. */
function status(url: string, identity?: Certificate): Promise<number | string> {
  return new Promise((resolve) => {
    const agent = new Agent({ ...trusting(identity), maxCachedSessions: 0 });
    const call = request(`${url}/livez`, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    call.end();
  });
}

/** Who the server says that it is. */
function nameOf(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: hostname, port: Number(port), ...trusting() }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe.runIf(isThere('openssl'))('TLS', () => {
  beforeAll(() => {
    makeAuthority(folder, 'authority');
    const stranger = makeAuthority(folder, 'stranger');
    for (const name of ['first', 'second', 'friend']) makeCertificate(folder, name, authority);
    makeCertificate(folder, 'foe', stranger);
  });

  it.concurrent('is spoken, and nothing else', async () => {
    const { server, url } = await serveWith(certificates.first);
    expect(url).toMatch(/^https:/);
    expect([await status(url), await nameOf(url)]).toEqual([200, 'first']);
    // Plain HTTP gets no response and is thrown out; so is a handshake in a version that is broken.
    const plain = await exchange(url, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n').catch(() => '');
    expect(plain).not.toContain('200');
    const { hostname, port } = new URL(url);
    const old = await new Promise((resolve) => {
      const socket = connect({
        host: hostname,
        port: Number(port),
        ...trusting(),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      socket.on('secureConnect', () => resolve('connected'));
    });
    expect(old).not.toBe('connected');
    expect(await status(url)).toBe(200);
    server.signal('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.talk).toBe('');
  });

  it.concurrent('takes new certificates on SIGHUP; what cannot be read leaves the old ones', async () => {
    const { server, url, files, install } = await serveWith(certificates.first);
    install(certificates.second);
    expect(await nameOf(url)).toBe('first');
    server.signal('SIGHUP');
    await server.line('certificates read again');
    expect(await nameOf(url)).toBe('second');

    writeFileSync(files.cert, 'not a certificate');
    server.signal('SIGHUP');
    const line = await server.line('the certificates cannot be read; the old ones stay');
    expect(line.level).toBe(50);
    expect([await nameOf(url), await status(url)]).toEqual(['second', 200]);
    // A certificate whose key is another's is none.
    const refusals = () => server.lines.filter(({ msg }) => msg.startsWith('the certificates cannot')).length;
    copyFileSync(certificates.first.cert, files.cert);
    server.signal('SIGHUP');
    await vi.waitFor(() => expect(refusals()).toBe(2));
    expect(await nameOf(url)).toBe('second');
    const key = readFileSync(certificates.second.key, 'utf8').split('\n')[1] ?? '';
    expect(JSON.stringify(server.lines)).not.toContain(key);
    await server.kill();
  });

  it.concurrent('on both sides lets in only whom the authority has signed, also after SIGHUP', async () => {
    const { server, url, install } = await serveWith(
      certificates.first,
      ...['--tls-client-ca', authority.cert],
    );
    const admitted = async () => [
      await status(url, certificates.friend),
      (await status(url, certificates.foe)) === 200,
      (await status(url)) === 200,
    ];
    expect(await admitted()).toEqual([200, false, false]);
    install(certificates.second);
    server.signal('SIGHUP');
    await server.line('certificates read again');
    expect(await admitted()).toEqual([200, false, false]);
    await server.kill();
  });

  it.concurrent('throws out who does not finish the handshake', async () => {
    const { server, url } = await serveWith(certificates.first);
    const { hostname, port } = new URL(url);
    const socket = connectRaw(Number(port), hostname);
    const started = performance.now();
    socket.resume();
    await new Promise((resolve) => socket.on('close', resolve));
    console.log(`thrown out after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    await server.kill();
  });
});
