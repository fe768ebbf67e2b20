// How to do the same with the CLI, the library and curl. Plain text: it is shown and copied, never run here.
import type { Form } from '../many/forms.js';
import type { ExternalChoice } from '../sixty-four/external-choice.js';
import type { Kind, Tail } from './generating.js';

export interface Snippets {
  readonly cli: string;
  readonly library: string;
  readonly curl?: string;
}

/** Quoted for a POSIX shell, whatever the text is. */
export const quoted = (text: string): string =>
  /^[\w{}:.-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;

function flagsOf({ uppercase, withHyphens, wrap }: Form): string {
  const flags = [uppercase && '--upper', !withHyphens && '--no-hyphens', wrap !== 'plain' && `--${wrap}`];
  return flags.map((flag) => (flag === false ? '' : ` ${flag}`)).join('');
}

export function generateSnippets(
  kind: Kind,
  count: number,
  form: Form,
  tail: Tail,
  server: string,
): Snippets {
  const many = count === 1 ? '' : ` -n ${count}`;
  if (kind === 'kazahana' || kind === 'leased') {
    const provider = kind === 'leased' ? `{ provider: new HttpLeaseProvider('${server}') }` : '';
    const names = kind === 'leased' ? 'HttpLeaseProvider, KazahanaClient' : 'KazahanaClient';
    return {
      cli: `kazahana next${many}${kind === 'leased' ? ` --url ${server}` : ''}`,
      library: `import { ${names} } from 'kazahana';\n\nconst client = new KazahanaClient(${provider});\nconst ids = await client.nextIds(${count});`,
      curl: `curl -s ${server}/ids -H 'content-type: application/json' -d '{"count":${count}}'`,
    };
  }
  const library =
    kind === 'v7'
      ? `import { UuidV7Generator } from 'kazahana/uuid';\n\nconst generator = new UuidV7Generator(${tail === 'session' ? "{ tail: 'session' }" : ''});\nconst ids = Array.from({ length: ${count} }, () => generator.next());`
      : `import { generateMany } from 'kazahana/uuid';\n\nconst ids = generateMany('${kind}', { count: ${count} });`;
  return {
    cli: `kazahana uuid ${kind}${many}${flagsOf(form)}`,
    library,
    curl: `# ${server} makes 64-bit IDs\ncurl -s ${server}/ids -H 'content-type: application/json' -d '{"count":${count}}'`,
  };
}

/** Long texts are cut: a megabyte is no argument of a command. */
const short = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** For one ID, or two to compare; `server` names the maker of a kazahana ID. */
export function inspectSnippets(text: string, format: string | undefined, server: string): Snippets {
  const [first, second, ...more] = text.split(/\s+/);
  if (first && second && more.length === 0) {
    return {
      cli: `kazahana inspect ${quoted(first)} ${quoted(second)}`,
      library: `import { compareIds } from 'kazahana/inspect';\n\nconst { msBetween, order } = compareIds(${JSON.stringify(first)}, ${JSON.stringify(second)}, { now: Date.now() });\nconsole.log(msBetween, order);`,
    };
  }
  const id = short(text);
  const isOurs = format === 'kazahana-id' && /^\d+$/.test(id);
  return {
    cli: `kazahana inspect ${quoted(id)}${isOurs ? `\nkazahana whois ${id} --url ${server}` : ''}`,
    library: `import { inspectId } from 'kazahana/inspect';\n\nconst { readings } = inspectId(${JSON.stringify(id)}, { now: Date.now() });\nconsole.log(readings[0]?.sentence);`,
    curl: isOurs
      ? `curl -s ${server}/whois/${id}`
      : `# ${server} makes 64-bit IDs\ncurl -s ${server}/ids -H 'content-type: application/json' -d '{"count":1}'`,
  };
}

export const logSnippets: Snippets = {
  cli: 'kazahana inspect --json - < server.log\nkazahana verify ids.txt',
  library: `import { findIds, inspectId } from 'kazahana/inspect';\n\nfor (const { text, index } of findIds(log)) {\n  console.log(index, inspectId(text, { now: Date.now() }).readings[0]?.sentence);\n}`,
};

/** Keys come from the environment: a snippet never has one in it. */
function externalOptions({ algorithm, prefix, keys, current }: ExternalChoice): string {
  const secrets = keys.map(({ label }) => `${label}: process.env.SECRET_${label.toUpperCase()} ?? '…'`);
  const parts = [
    ...(algorithm === 'none' ? [`algorithm: 'none'`] : []),
    ...(algorithm === 'xtea' && keys.length === 0 ? ['secret: process.env.KAZAHANA_EXTERNAL_SECRET'] : []),
    ...(algorithm === 'xtea' && keys.length > 0
      ? [`secrets: { ${secrets.join(', ')} }`, `current: '${current}'`]
      : []),
    ...(prefix === '' ? [] : [`prefix: ${JSON.stringify(prefix)}`]),
  ];
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`;
}

export function externalSnippets(id: string, external: string, choice: ExternalChoice): Snippets {
  const flag = choice.algorithm === 'mix' ? '' : ` --algorithm ${choice.algorithm}`;
  return {
    cli: `kazahana external encode ${quoted(id)}${flag}\nkazahana external decode ${quoted(external)}${flag}`,
    library: `import { createExternalIdCodec } from 'kazahana/external';\n\nconst codec = createExternalIdCodec(${externalOptions(choice)});\ncodec.toExternalId(${id}n); // ${JSON.stringify(external)}\ncodec.parse(${JSON.stringify(external)}); // ${id}n, or undefined`,
  };
}

export function estelleSnippets(level: string, id: number): Snippets {
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

export function poolSnippets(server: string): Snippets {
  return {
    cli: `kazahana pool status --url ${server}\nkazahana pool watch --url ${server}`,
    library: `import { HttpLeaseProvider } from 'kazahana';\n\nconst provider = new HttpLeaseProvider('${server}');\nconst pool = await provider.inspectPool();\nconst leases = await provider.listLeases();`,
    curl: `curl -s ${server}/pool\ncurl -N ${server}/pool/events`,
  };
}

export const historySnippets: Snippets = {
  cli: 'kazahana uuid v7 | tee -a history.txt',
  library: `import { deserializeHistory, serializeHistory } from 'kazahana/uuid';\n\nconst items = deserializeHistory(localStorage.getItem('kazahana.history') ?? '[]');\nlocalStorage.setItem('kazahana.history', serializeHistory(items));`,
};
