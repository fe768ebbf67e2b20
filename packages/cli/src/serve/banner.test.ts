import { describe, expect, it } from 'vitest';
import { type BannerFacts, banner } from './banner.js';
import type { Paint } from './pretty-log.js';

const plain: Paint = (_style, text) => text;
const FACTS: BannerFacts = {
  version: '1.2.3',
  url: 'http://127.0.0.1:7420',
  store: 'sqlite:./kazahana.db',
  pools: ['default: 1 + 41 + 14 + 8 bits, 0 of 8192 machine IDs held'],
  tokens: [],
  isInsecure: false,
};

describe('the banner', () => {
  it('says where the server is, what it keeps leases in, who may use it, and how to try it', () => {
    expect(banner(FACTS, 80, plain)).toBe(`
  風花 kazahana 1.2.3

  page    http://127.0.0.1:7420
  store   sqlite:./kazahana.db
  pool    default: 1 + 41 + 14 + 8 bits, 0 of 8192 machine IDs held
  tokens  none: every program on this machine may do everything

  Three IDs, without a client:
    curl --json '{"count":3}' http://127.0.0.1:7420/ids
  In a program, as a provider:
    new HttpLeaseProvider('http://127.0.0.1:7420')

  Ctrl-C ends it. Warnings come here:

`);
  });

  it('fits into 40 columns, but for the line of code', () => {
    const lines = banner(FACTS, 40, plain).split('\n');
    for (const line of lines) if (!line.includes('new Http')) expect(line.length).toBeLessThanOrEqual(40);
    expect(lines).toEqual(expect.arrayContaining([`    curl \\`, `      --json '{"count":3}' \\`]));
  });

  it('shows how to send a token, and names those that there are', () => {
    const text = banner({ ...FACTS, tokens: ['web', 'ops'] }, 200, plain);
    expect(text).toContain('tokens  web, ops\n');
    expect(text).toContain('curl -H "Authorization: Bearer $KAZAHANA_TOKEN" --json');
    expect(text).toContain("new HttpLeaseProvider('http://127.0.0.1:7420', { token })");
  });

  it('warns of --insecure', () => {
    expect(banner({ ...FACTS, isInsecure: true }, 200, plain)).toContain(
      'none, and --insecure: every program',
    );
  });
});
