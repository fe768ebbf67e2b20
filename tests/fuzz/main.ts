// `npm run fuzz [-- part …] [--count n] [--seed n]`: throws ten million hostile texts at every parser (a seed replays them), and
// clients at a lease server that lies. Prints the text when something disagrees, or throws what is not documented.
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.ts';
import { Random } from '../../simulation/world.ts';

const DEFAULT_COUNT = 10_000_000;
/** A response of the server that lies costs some milliseconds: it gets as many fewer. */
const TEXTS_PER_RESPONSE = 1000;
const CLIENTS = 24;

const { values, positionals } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const whole = (name: string, text: string | undefined, otherwise: number): number => {
  const value = Number(text ?? otherwise);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new RangeError(`${name} must be a whole number from 1, got ${text}`);
};
const count = whole('--count', values.count, DEFAULT_COUNT);
const seed = whole('--seed', values.seed, (Date.now() >>> 0) + 1);

await build();
const { PARSERS, fuzz } = await import('./parsers.ts');
const { runHostileCampaign } = await import('../server/hostile/campaign.ts');

async function fuzzClient(): Promise<string> {
  const requests = Math.ceil(count / TEXTS_PER_RESPONSE);
  const result = await runHostileCampaign(seed, requests, CLIENTS);
  if (result.faults.length > 0) throw new Error(`client: ${result.faults.slice(0, 10).join('\n')}`);
  const { rss } = process.memoryUsage();
  const memory = `${Math.round(rss / 2 ** 20)} MB resident, at most ${(result.mostTaken / 2 ** 20).toFixed(1)} MB of a response`;
  return `${result.requests.toLocaleString('en')} responses of a server that lies, ${result.ids.toLocaleString('en')} IDs, ${memory}`;
}

const names = [...Object.keys(PARSERS), 'client'];
const chosen = positionals.length > 0 ? positionals : names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0)
  throw new RangeError(`no such part: ${unknown.join(', ')}; there are ${names.join(', ')}`);
console.log(`${count.toLocaleString('en')} texts for each parser, seed ${seed}`);
for (const name of chosen) {
  const began = performance.now();
  const parser = PARSERS[name];
  if (parser) fuzz(name, parser, new Random(seed), count);
  const said = parser ? `${count.toLocaleString('en')} texts` : await fuzzClient();
  console.log(`${name.padEnd(10)} ${said}, no fault, ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
