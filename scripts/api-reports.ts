// `npm run api`: writes what each entry point exports, with its types, into packages/*/api. A change of a public name or type
// changes these files, so a reader of a commit sees it. With `--check`, fails when one is out of date.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { build } from './build.ts';
import { type EntryPoint, entryPoints } from './entry-points.ts';
import { root } from './run.ts';

const COMPILER_OPTIONS = {
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  lib: ['ES2023', 'DOM', 'ESNext.Disposable'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
};
const SILENT = { default: { logLevel: ExtractorLogLevel.None } };

const reportFolder = ({ folder }: EntryPoint) => join(folder, 'api');
/** `kazahana/compat/uuid` is reported in `compat-uuid.api.md`, a package's main entry point in `index.api.md`. */
const reportName = ({ name }: EntryPoint) =>
  `${name.replace(/^(@kazahana\/\w+|kazahana)\/?/, '').replaceAll('/', '-') || 'index'}.api.md`;

/** Reports one entry point; false when the report that is there differs, and `check` forbids to change it. */
function report(entry: EntryPoint, work: string, check: boolean): boolean {
  mkdirSync(reportFolder(entry), { recursive: true });
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry.types,
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [entry.types] } },
      apiReport: {
        enabled: true,
        reportFileName: reportName(entry),
        reportFolder: reportFolder(entry),
        reportTempFolder: work,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: SILENT,
        extractorMessageReporting: SILENT,
        tsdocMessageReporting: SILENT,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(entry.folder, 'package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: !check,
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  return result.succeeded;
}

const check = process.argv.includes('--check');
await build();
const work = mkdtempSync(join(tmpdir(), 'kazahana-api-'));
const entries = entryPoints();
const stale = entries.filter((entry) => !report(entry, work, check)).map(({ name }) => name);
rmSync(work, { recursive: true, force: true });

// A report whose entry point is gone would be believed.
const expected = new Set(entries.map((entry) => join(reportFolder(entry), reportName(entry))));
for (const folder of new Set(entries.map(reportFolder))) {
  for (const path of readdirSync(folder).map((name) => join(folder, name))) {
    if (expected.has(path)) continue;
    if (check) stale.push(basename(path));
    else rmSync(path);
  }
}
for (const name of stale) console.log(`${name}: the API has changed; read the change, then npm run api`);
console.log(`${entries.length - stale.length} passed, ${stale.length} failed`);
process.exitCode = stale.length === 0 ? 0 : 1;
