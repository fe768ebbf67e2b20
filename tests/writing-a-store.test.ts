// The driver that docs/writing-a-store.md shows passes both conformance suites.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LeaseDriver, LeaseEngine, LeaseEngineOptions } from 'kazahana/lease';
import { leaseDriverConformance, leaseProviderConformance, virtualEnvironment } from 'kazahana/testing';
import { describe, it } from 'vitest';
import { root } from '../scripts/run.ts';
import { findSnippets } from './documents/snippets.ts';

const PAGE = 'docs/writing-a-store.md';

interface Shown {
  readonly MapDriver: new (now: () => number) => LeaseDriver;
  readonly MapLeaseProvider: new (options: LeaseEngineOptions) => LeaseEngine;
}

async function loadShown(): Promise<Shown> {
  const snippets = findSnippets(PAGE, readFileSync(join(root, PAGE), 'utf8'));
  const shown = snippets.find(({ code }) => code.includes('class MapDriver'));
  if (!shown) throw new Error(`${PAGE} shows no MapDriver`);
  const folder = join(root, 'tests/.work');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'map-store.ts');
  writeFileSync(path, shown.code);
  return import(/* @vite-ignore */ pathToFileURL(path).href) as Promise<Shown>;
}

const { MapDriver, MapLeaseProvider } = await loadShown();

describe('the driver of the guide', () => {
  const cases = leaseDriverConformance(async () => {
    const environment = virtualEnvironment();
    const { now, advance } = environment;
    return { driver: new MapDriver(now), now, advance };
  });
  for (const { name, run } of cases) it(name, run);
});

describe('the provider of the guide', () => {
  const cases = leaseProviderConformance(async (options) => {
    const environment = virtualEnvironment();
    const { now, advance } = environment;
    return { provider: new MapLeaseProvider({ ...options, environment }), now, advance };
  });
  for (const { name, run } of cases) it(name, run);
});
