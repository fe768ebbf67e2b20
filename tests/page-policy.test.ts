// The Content-Security-Policy that the server sends with the page is as tight as the one that the page carries itself.
import { createLeaseApp } from '@kazahana/server';
import { MemoryLeaseProvider } from 'kazahana';
import { expect, it } from 'vitest';
import { readFile } from './operations-page.ts';

const directivesOf = (policy: string) =>
  new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.sort()] as const;
    }),
  );

it('the policy of the server allows what the policy of the page allows, and its own server', async () => {
  const [, list = ''] = /const POLICY = \[([^\]]*)\]/.exec(readFile('packages/web/vite.config.ts')) ?? [];
  const ofPage = directivesOf([...list.matchAll(/"([^"]+)"/g)].map(([, directive]) => directive).join('; '));
  expect(ofPage.size).toBeGreaterThan(7);
  const response = await createLeaseApp({ store: new MemoryLeaseProvider() }).fetch(
    new Request('http://localhost/'),
  );
  const html = await response.text();
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).not.toMatch(/unsafe|data:|blob:|\*/);
  const ofServer = directivesOf(policy);
  const style = ofServer.get('style-src')?.filter((source) => !source.startsWith("'sha256-"));
  expect([...ofServer, ['style-src', style] as const].length).toBe(ofPage.size + 2);
  for (const [name, sources] of ofPage) {
    const expected = name === 'connect-src' ? ["'self'"] : sources;
    expect([name, name === 'style-src' ? style : ofServer.get(name)]).toEqual([name, expected]);
  }
  // The hash is that of the words that are shown without a page.
  const [, text = ''] = /<style>(.*)<\/style>/.exec(html) ?? [];
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  expect(policy).toContain(`'sha256-${btoa(String.fromCharCode(...digest))}'`);
});
