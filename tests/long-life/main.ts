// `npm run long-life [-- store …] [--seconds n] [--write]`: accelerated lives of a client, a server and each store; fails when
// something grows in the second half. `--write` puts the picture and the table into the documents.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.ts';
import { root, run } from '../../scripts/run.ts';
import { STORES } from '../stores/store-under-test.ts';
import { drawLives } from './picture.ts';
import { isFlat, type Life, MEASURES, type Measure, quarters } from './samples.ts';

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '120' }, write: { type: 'boolean' } },
  allowPositionals: true,
});
const seconds = Number(values.seconds);
if (!(seconds >= 60)) throw new RangeError(`--seconds must be 60 or more, got ${values.seconds}`);
const names = ['client', ...STORES];
const chosen = positionals.length > 0 ? positionals : names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0)
  throw new RangeError(`no such life: ${unknown.join(', ')}; there are ${names.join(', ')}`);

const shown = (measure: Measure, value: number) =>
  measure === 'heap' ? `${(value / 2 ** 20).toFixed(2)} MB` : value.toLocaleString('en');

function rowOf(life: Life): string {
  const { name, samples, crashes, healthyRefused, layoutChanges, fallbackIds, ids } = life;
  const cells = MEASURES.map((measure) => {
    const [third, fourth] = quarters(samples, measure).map((value) => shown(measure, value));
    return `${third} → ${fourth}${isFlat(samples, measure) ? '' : ' **grows**'}`;
  });
  const loop = crashes.granted === 0 ? '–' : `${crashes.granted} leased, ${crashes.refused} refused`;
  const reasons = Object.entries(healthyRefused).map(([reason, count]) => `${count} × ${reason}`);
  const healthy =
    crashes.granted === 0
      ? '–'
      : [`${fallbackIds.toLocaleString('en')} of ${ids.toLocaleString('en')} IDs fallback`, ...reasons].join(
          '; ',
        );
  return `| ${name} | ${samples.at(-1)?.renewals.toLocaleString('en')} | ${layoutChanges} | ${cells.join(' | ')} | ${loop} | ${healthy} |`;
}

const HEAD = `| life | renewals | layout changes | heap | handles | rows, keys | crash loop | healthy clients |
|---|---|---|---|---|---|---|---|`;

await build();
async function live(name: string): Promise<Life> {
  const child = fileURLToPath(new URL('life.ts', import.meta.url));
  const { code, output } = await run(process.execPath, ['--expose-gc', child, name, String(seconds)]);
  const line = output.split('\n').findLast((text) => text.startsWith('{"name"'));
  if (code !== 0 || line === undefined)
    throw new Error(`the life of ${name} has ended with ${code}:\n${output}`);
  return JSON.parse(line) as Life;
}

// Side by side: they wait more than they work.
const lives = await Promise.all(chosen.map(live));
const table = `${HEAD}\n${lives.map(rowOf).join('\n')}`;
console.log(`the third and the fourth quarter of each life:\n${table}`);
if (values.write) {
  writeFileSync(join(root, 'docs', 'images', 'long-life.svg'), drawLives(lives));
  const page = join(root, 'docs', 'long-life.md');
  const text = readFileSync(page, 'utf8').replace(
    /<!-- lives -->[\s\S]*?<!-- end -->/,
    `<!-- lives -->\n\n\`npm run long-life -- --seconds ${seconds}\`:\n\n${table}\n\n<!-- end -->`,
  );
  writeFileSync(page, text);
}
const growing = lives.flatMap(({ name, samples }) =>
  MEASURES.filter((measure) => !isFlat(samples, measure)).map((measure) => `${name}: ${measure}`),
);
if (growing.length > 0) {
  console.error(`grows in the second half: ${growing.join(', ')}`);
  process.exitCode = 1;
}
