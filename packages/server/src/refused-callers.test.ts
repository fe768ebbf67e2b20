// The log knows who was refused, and never with which token.
import { MemoryLeaseProvider } from 'kazahana';
import { virtualEnvironment } from 'kazahana/testing';
import { describe, expect, it } from 'vitest';
import { collectingLog } from '../../../tests/server/log.ts';
import { token, tokenText } from '../../../tests/server/serving.ts';
import { createLeaseApp } from './app.js';

function setUp() {
  const environment = virtualEnvironment();
  const { log, lines } = collectingLog();
  const tokens = [token('reader', { scopes: ['observe'] }), token('mails', { services: ['mails'] })];
  const store = new MemoryLeaseProvider({ environment });
  const app = createLeaseApp({ store, environment, log, tokens });
  const call = (text: string | undefined, path: string, address = '10.0.0.7') => {
    const headers = { 'content-type': 'application/json', ...(text && { authorization: `Bearer ${text}` }) };
    const request = new Request(`http://localhost${path}`, { method: 'POST', headers, body: '{}' });
    return app.fetch(request, { address });
  };
  return { environment, lines, call };
}

describe('a caller that is refused', () => {
  it('leaves a line with its address and the route when it has no valid token, and not the text that it sent', async () => {
    const { lines, call } = setUp();
    const guess = 'a-guess-of-a-token-0123456789';
    await call(guess, '/lease');
    expect(lines).toMatchObject([
      {
        level: 40,
        msg: 'a caller is refused',
        code: 'UNAUTHORIZED',
        address: '10.0.0.7',
        method: 'POST',
        route: '/lease',
        refusedSinceLastLine: 0,
      },
    ]);
    expect(lines[0]).not.toHaveProperty('caller');
    expect(JSON.stringify(lines)).not.toContain(guess);
  });

  it('leaves a line with the name of its token when that has not the scope, or is for other services', async () => {
    const { lines, call } = setUp();
    await call(tokenText('reader'), '/pool/quarantine');
    await call(tokenText('mails'), '/lease');
    expect(lines).toMatchObject([
      { code: 'FORBIDDEN', caller: 'reader', route: '/pool/quarantine' },
      { code: 'FORBIDDEN', caller: 'mails', route: '/lease' },
    ]);
    expect(JSON.stringify(lines)).not.toContain(tokenText('mails'));
  });

  it('again and again leaves a line a minute, which counts the rest', async () => {
    const { environment, lines, call } = setUp();
    for (let i = 0; i < 100; i++) await call(undefined, '/lease', `10.0.0.${i}`);
    expect(lines.length).toBe(1);
    await call(tokenText('reader'), '/lease');
    expect(lines.length).toBe(2);
    await environment.advance(60_000);
    await call(undefined, '/ids');
    expect(lines.at(-1)).toMatchObject({ route: '/ids', refusedSinceLastLine: 99 });
  });

  it('leaves none when it is served', async () => {
    const { lines, call } = setUp();
    await call(tokenText('mails'), '/livez');
    expect(lines).toEqual([]);
  });
});
