// The files of a new project: templates as they are, and those that depend on several choices.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Choices, optionsOf, QUESTIONS, SAME_VERSION } from './choices.js';

const home = fileURLToPath(new URL('..', import.meta.url));
const templates = join(home, 'templates');
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };

/** TypeScript without a build step: the first Node that strips types by itself. */
export const NODE = [22, 18] as const;

export interface Project {
  /** The name of its package. */
  readonly name: string;
  readonly choices: Choices;
  /** The key of its external IDs. */
  readonly secret: string;
}

type Versions = Record<string, string>;

const sorted = (versions: Versions): Versions =>
  Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));

function versionsOf(choices: Choices, kind: 'dependencies' | 'devDependencies', always: Versions): Versions {
  const all = { ...always };
  for (const question of QUESTIONS) {
    for (const [name, range] of Object.entries(optionsOf(question)[choices[question]]?.[kind] ?? {}))
      all[name] = range === SAME_VERSION ? `^${version}` : range;
  }
  return sorted(all);
}

function manifest({ name, choices }: Project): object {
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: `>=${NODE.join('.')}` },
    scripts: {
      start: 'node --env-file=.env src/main.ts',
      dev: 'node --env-file=.env --watch src/main.ts',
      test: 'node --env-file=.env --test',
      types: 'tsc',
      ...(choices.store === 'server' ? { ids: 'kazahana serve' } : {}),
    },
    dependencies: versionsOf(choices, 'dependencies', { kazahana: `^${version}` }),
    devDependencies: versionsOf(choices, 'devDependencies', {
      '@types/node': '^24.0.0',
      typescript: '^5.9.0',
    }),
  };
}

const usesPostgres = ({ database, store }: Choices) => database === 'postgres' || store === 'postgres';

function environment({ choices, secret }: Project): string {
  const lines = [
    '# Keep it, and keep it secret: external IDs that you have given out are read with it.',
    `EXTERNAL_ID_SECRET=${secret}`,
    'PORT=3000',
  ];
  if (usesPostgres(choices)) lines.push('DATABASE_URL=postgres://postgres:postgres@127.0.0.1:5432/postgres');
  if (choices.store === 'redis') lines.push('REDIS_URL=redis://127.0.0.1:6379');
  if (choices.store === 'server') lines.push('KAZAHANA_URL=http://127.0.0.1:7420', '# KAZAHANA_TOKEN=');
  return `${lines.join('\n')}\n`;
}

/** The servers that the project needs beside itself, for `docker compose up`. */
function compose(choices: Choices): string | undefined {
  const services = [];
  if (usesPostgres(choices))
    services.push(
      `  postgres:\n    image: postgres:18\n    environment:\n      POSTGRES_PASSWORD: postgres\n    ports: ['127.0.0.1:5432:5432']\n`,
    );
  if (choices.store === 'redis')
    services.push(
      `  redis:\n    image: redis:8\n    command: redis-server --appendonly yes --maxmemory-policy noeviction\n    ports: ['127.0.0.1:6379:6379']\n`,
    );
  return services.length === 0 ? undefined : `services:\n${services.join('')}`;
}

/** What to type, in order, until the project runs. */
export function steps(choices: Choices): string[] {
  return [
    'npm install',
    ...(compose(choices) === undefined ? [] : ['docker compose up --detach']),
    ...(choices.store === 'server' ? ['npm run ids   # the lease server, in a terminal of its own'] : []),
    'npm test',
    'npm start',
  ];
}

function readme({ name, choices }: Project): string {
  return `# ${name}

Notes over HTTP. A note has a 64-bit ID of [kazahana](https://www.npmjs.com/package/kazahana) in the program and in the database, and an external ID
(\`note_…\`) in URLs and JSON, which shows neither when nor how many notes were made.

\`\`\`sh
${steps(choices).join('\n')}
\`\`\`

\`\`\`sh
curl --json '{"text":"tea"}' http://localhost:3000/notes
\`\`\`

| file | what is in it |
|---|---|
| \`src/ids.ts\` | makes IDs, writes and reads external IDs |
| \`src/lease-provider.ts\` | where the program leases its machine ID |
| \`src/notes.ts\` | the database |
| \`src/app.ts\` | the routes |
| \`test/notes.test.ts\` | a test of all of it |
| \`.env\` | settings, and the secret of the external IDs; not in git |
`;
}

function templatesOf(folder: string): Map<string, string> {
  const entries = readdirSync(join(templates, folder), { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(join(templates, folder), path).split(sep).join('/'), readFileSync(path, 'utf8')];
      }),
  );
}

/** Every file of a project by its path. */
export function filesOf(project: Project): Map<string, string> {
  const { choices } = project;
  const files = new Map<string, string>();
  for (const [path, text] of templatesOf('base')) {
    // npm leaves files of the name .gitignore out of a package.
    files.set(path === 'gitignore' ? '.gitignore' : path, text);
  }
  for (const question of QUESTIONS)
    for (const [path, text] of templatesOf(`${question}/${choices[question]}`))
      files.set(`src/${path}`, text);
  files.set('package.json', `${JSON.stringify(manifest(project), undefined, 2)}\n`);
  files.set('README.md', readme(project));
  files.set('.env', environment(project));
  files.set('.env.example', environment({ ...project, secret: '' }));
  const servers = compose(choices);
  if (servers !== undefined) files.set('compose.yaml', servers);
  return files;
}
