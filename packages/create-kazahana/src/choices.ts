// What can be chosen for a new project, and the packages that each choice brings.

export interface Choice {
  readonly label: string;
  readonly hint: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The versions of our packages are that of this one, since all are released together. */
export const SAME_VERSION = 'the version of create-kazahana';

const REDIS = { '@redis/client': '^6.0.0' };
const PG = { pg: '^8.0.0' };
const PG_TYPES = { '@types/pg': '^8.0.0' };

export const CHOICES = {
  framework: {
    hono: {
      label: 'Hono',
      hint: 'runs anywhere',
      dependencies: { '@hono/node-server': '^2.0.0', hono: '^4.0.0' },
    },
    express: {
      label: 'Express',
      hint: 'version 5',
      dependencies: { express: '^5.0.0' },
      devDependencies: { '@types/express': '^5.0.0' },
    },
    fastify: { label: 'Fastify', hint: 'version 5', dependencies: { fastify: '^5.0.0' } },
    none: { label: 'none', hint: 'node:http alone' },
  },
  database: {
    postgres: { label: 'PostgreSQL', hint: 'pg', dependencies: PG, devDependencies: PG_TYPES },
    sqlite: { label: 'SQLite', hint: 'a file, node:sqlite' },
    none: { label: 'none', hint: 'notes are kept in memory' },
  },
  store: {
    sqlite: {
      label: 'an SQLite file',
      hint: 'for one host; nothing to run',
      dependencies: { '@kazahana/sqlite': SAME_VERSION },
    },
    server: {
      label: 'a lease server',
      hint: 'for many hosts; kazahana serve',
      devDependencies: { '@kazahana/cli': SAME_VERSION },
    },
    postgres: {
      label: 'PostgreSQL',
      hint: 'for many hosts that share a database',
      dependencies: { '@kazahana/postgres': SAME_VERSION, ...PG },
      devDependencies: PG_TYPES,
    },
    redis: {
      label: 'Redis',
      hint: 'for many hosts that share a Redis',
      dependencies: { '@kazahana/redis': SAME_VERSION, ...REDIS },
    },
  },
} as const satisfies Record<string, Record<string, Choice>>;

export type Question = keyof typeof CHOICES;
export type Choices = { readonly [Q in Question]: keyof (typeof CHOICES)[Q] & string };

export const QUESTIONS = Object.keys(CHOICES) as Question[];
export const optionsOf = (question: Question): Readonly<Record<string, Choice>> => CHOICES[question];

/** What is taken with `--yes`: a project that runs at once, with nothing to install beside Node. */
export const DEFAULTS: Choices = { framework: 'hono', database: 'sqlite', store: 'sqlite' };

export function isChoice<Q extends Question>(question: Q, value: string): value is Choices[Q] {
  return Object.hasOwn(CHOICES[question], value);
}
