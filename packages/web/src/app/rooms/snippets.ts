// How to do the same with the CLI, the library and curl. Plain text: it is shown and copied, never run here.
import type { ExternalIdAlgorithm } from 'kazahana/external';
import type { Format } from '../state/formats.js';
import type { Kind } from '../state/generating.js';

interface Snippets {
  readonly cli: string;
  readonly library: string;
  readonly curl?: string;
}

const SERVER = 'http://127.0.0.1:7420';

/** Quoted for a POSIX shell, whatever the text is. */
export const quoted = (text: string): string =>
  /^[\w{}:.-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;

function flagsOf({ uppercase, withHyphens, wrap }: Format): string {
  const flags = [uppercase && '--upper', !withHyphens && '--no-hyphens', wrap !== 'plain' && `--${wrap}`];
  return flags.map((flag) => (flag === false ? '' : ` ${flag}`)).join('');
}

export function generateSnippets(kind: Kind, count: number, format: Format): Snippets {
  const many = count === 1 ? '' : ` -n ${count}`;
  if (kind === 'kazahana' || kind === 'leased') {
    const provider = kind === 'leased' ? `{ provider: new HttpLeaseProvider('${SERVER}') }` : '';
    const names = kind === 'leased' ? 'HttpLeaseProvider, KazahanaClient' : 'KazahanaClient';
    return {
      cli: `kazahana next${many}${kind === 'leased' ? ` --url ${SERVER}` : ''}`,
      library: `import { ${names} } from 'kazahana';\n\nconst client = new KazahanaClient(${provider});\nconst ids = await client.nextIds(${count});`,
      curl: `curl -s ${SERVER}/ids -H 'content-type: application/json' -d '{"count":${count}}'`,
    };
  }
  const library =
    kind === 'v7'
      ? `import { UuidV7Generator } from 'kazahana/uuid';\n\nconst generator = new UuidV7Generator({ tail: 'session' });\nconst ids = Array.from({ length: ${count} }, () => generator.next());`
      : `import { generateMany } from 'kazahana/uuid';\n\nconst ids = generateMany('${kind}', { count: ${count} });`;
  return {
    cli: `kazahana uuid ${kind}${many}${flagsOf(format)}`,
    library,
    curl: `# ${SERVER} makes 64-bit IDs\ncurl -s ${SERVER}/ids -H 'content-type: application/json' -d '{"count":${count}}'`,
  };
}

/** Long texts are cut: nobody types a megabyte into a shell. */
const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

export function inspectSnippets(text: string): Snippets {
  const word = quoted(short(text));
  // Numbers have no form of which a part could be wrong.
  const validate = /^\d+$/.test(text) ? '' : `\nkazahana validate ${word}`;
  return {
    cli: `kazahana inspect ${word}${validate}`,
    library: `import { diagnoseId, readId } from 'kazahana/inspect';\n\nconst readings = readId(${JSON.stringify(short(text))}, { now: Date.now() });\nconst problem = readings.length === 0 ? diagnoseId(${JSON.stringify(short(text))}) : undefined;`,
  };
}

export function bitsSnippets(text: string): Snippets {
  return {
    cli: `kazahana inspect ${quoted(short(text))}`,
    library: `import { readId } from 'kazahana/inspect';\n\nfor (const { name, offset, bits, value, reading } of readId(${JSON.stringify(short(text))}, { now: Date.now() })[0]?.fields ?? []) {\n  console.log(name, offset, bits, value, reading);\n}`,
  };
}

export const batchSnippets: Snippets = {
  cli: 'kazahana inspect --json - < server.log\nkazahana verify ids.txt',
  library: `import { findIds, readId } from 'kazahana/inspect';\n\nfor (const { text, index } of findIds(log)) {\n  console.log(index, readId(text, { now: Date.now() })[0]);\n}`,
};

export function publicSnippets(id: string, external: string, algorithm: ExternalIdAlgorithm): Snippets {
  const options =
    algorithm === 'xtea'
      ? ', { secret: process.env.KAZAHANA_EXTERNAL_SECRET }'
      : algorithm === 'none'
        ? ", { algorithm: 'none' }"
        : '';
  const flag = algorithm === 'mix' ? '' : ` --algorithm ${algorithm}`;
  return {
    cli: `kazahana external encode ${quoted(id)}${flag}\nkazahana external decode ${quoted(external)}${flag}`,
    library: `import { toExternalId, toInternalId } from 'kazahana/external';\n\ntoExternalId(${id}n${options}); // ${JSON.stringify(external)}\ntoInternalId(${JSON.stringify(external)}${options}); // ${id}n`,
  };
}

export function hierarchySnippets(level: string, id: number): Snippets {
  const name = `${level[0]?.toUpperCase()}${level.slice(1)}Id`;
  const as = level === 'pylon' || level === 'client' ? 'device' : level;
  return {
    cli: `kazahana estelle decode ${id} --as ${as}`,
    library: `import { decode${name} } from 'kazahana/estelle';\n\ndecode${name}(${id});`,
  };
}

export function layoutSnippets(configuration: string, layout: string): Snippets {
  return {
    cli: `kazahana serve --config kazahana.json`,
    library: `import { MemoryLeaseProvider } from 'kazahana';\nimport { kazahanaIdLayout } from 'kazahana/layout';\n\nconst provider = new MemoryLeaseProvider(${configuration});\nconst fields = kazahanaIdLayout(${layout}).fields;`,
  };
}

export const poolSnippets: Snippets = {
  cli: `kazahana pool status --url ${SERVER}\nkazahana pool watch --url ${SERVER}`,
  library: `import { MemoryLeaseProvider } from 'kazahana';\n\nconst provider = new MemoryLeaseProvider();\nconst pool = await provider.inspectPool();\nconst leases = await provider.listLeases();`,
  curl: `curl -s ${SERVER}/pool\ncurl -N ${SERVER}/pool/events`,
};

export const historySnippets: Snippets = {
  cli: 'kazahana uuid v7 | tee -a history.txt',
  library: `import { deserializeHistory, serializeHistory } from 'kazahana/uuid';\n\nconst items = deserializeHistory(localStorage.getItem('kazahana.history') ?? '[]');\nlocalStorage.setItem('kazahana.history', serializeHistory(items));`,
};
