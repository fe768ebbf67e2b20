import { PoolMismatchError, StoreError } from 'kazahana/lease';
import { describe, expect, it } from 'vitest';
import { explainStart } from './start-failure.js';

const WHERE = { host: '127.0.0.1', port: 7420, store: 'sqlite:./kazahana.db' };
const SHARED = { ...WHERE, store: 'redis://:hush@db' };
const listening = (code: string, syscall = 'listen') => Object.assign(new Error(code), { code, syscall });

describe('why a server cannot start, and what helps', () => {
  it.each([
    [listening('EADDRINUSE'), /^port 7420 of 127\.0\.0\.1 is in use .* with --port\.$/],
    [listening('EACCES'), /^this user may not listen on port 7420 .* above 1023 with --port\.$/],
    [listening('EADDRNOTAVAIL'), /^this machine has no address 127\.0\.0\.1 .* with --host\.$/],
    [listening('ENOTFOUND', 'getaddrinfo'), /^the host 127\.0\.0\.1 has no address .* with --host\.$/],
    [listening('EOTHER'), /^EOTHER$/],
    [Object.assign(new Error('no start line'), { code: 'ERR_OSSL_PEM_NO_START_LINE' }), /--tls-cert/],
    [
      new StoreError('STORE_REFUSED', 'x.db: access to the file is denied'),
      /denied\. Let the user of this process/,
    ],
    [new StoreError('STORE_INCOMPATIBLE', 'x.db: the file is damaged'), /damaged\. Restore it from a backup/],
    [new StoreError('STORE_UNAVAILABLE', 'away'), /^away$/],
    [new Error('something'), /^something$/],
  ])('%s', (error, text) => {
    expect(explainStart(error, WHERE)).toMatch(text);
  });

  it('speaks of users and passwords where the store is no file, and shows none', () => {
    const said = explainStart(
      new StoreError('STORE_REFUSED', 'Redis does not let this user in (WRONGPASS)'),
      SHARED,
    );
    expect(said).toMatch(/\(WRONGPASS\)\. Check the user name, the password and the rights of that user/);
    expect(said).not.toContain('hush');
  });

  it('says of a pinned value why it stays', () => {
    const error = new PoolMismatchError('bitTs', 41, 40);
    expect(explainStart(error, WHERE)).toMatch(/cannot be 40\. A pool keeps the epoch/);
  });
});
