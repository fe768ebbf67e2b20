// Questions of new users, and what they would type into the search of the site: the page that explains it must be among the first
// three results.

export interface Question {
  readonly question: string;
  /** What readers would type; each of them must lead there. */
  readonly queries: readonly string[];
  /** The page that begins with the explanation, without `.html`. */
  readonly page: string;
}

export const QUESTIONS: readonly Question[] = [
  { question: 'Which ID should I use?', queries: ['which id', 'uuid or snowflake'], page: 'which-id' },
  {
    question: 'How do I rotate the secret of external IDs?',
    queries: ['rotate secret', 'rotate key'],
    page: 'external-ids',
  },
  {
    question: 'How do I send a bigint as JSON?',
    queries: ['bigint JSON', 'serialize a BigInt', 'openapi'],
    page: 'json',
  },
  {
    question: 'How do I read a bigint from a driver?',
    queries: ['pg bigint string', 'mysql2', 'better-sqlite3'],
    page: 'database-drivers',
  },
  { question: 'Which column?', queries: ['database column', 'bigint column'], page: 'databases' },
  { question: 'How do I use it with my ORM?', queries: ['prisma'], page: 'prisma' },
  { question: 'How do I use it with my ORM?', queries: ['drizzle'], page: 'drizzle' },
  { question: 'How do I use it with my ORM?', queries: ['typeorm'], page: 'typeorm' },
  { question: 'How do I use it with my ORM?', queries: ['kysely'], page: 'kysely' },
  {
    question: 'How do I log and measure a client?',
    queries: ['client events', 'client metrics', 'log events'],
    page: 'observing',
  },
  {
    question: 'What does this error code mean?',
    queries: ['STORE_MAY_EVICT', 'POOL_MISMATCH', 'error codes'],
    page: 'errors',
  },
  {
    question: 'How do I migrate?',
    queries: ['migrate twitter', 'migrate snowflake', 'migrate auto-increment', 'migrate ulid', 'sonyflake'],
    page: 'migrating',
  },
  { question: 'How do I migrate from uuid?', queries: ['migrate uuid', 'replace uuid'], page: 'from-uuid' },
  {
    question: 'How do I test a program that uses it?',
    queries: ['fake timers', 'testing', 'jest'],
    page: 'testing',
  },
  { question: 'How do I write a store?', queries: ['write a store', 'own store'], page: 'writing-a-store' },
  { question: 'Where do I start?', queries: ['library in 60 seconds', 'start'], page: 'start-library' },
  { question: 'How do I begin a project?', queries: ['create project', 'npm create'], page: 'create' },
  { question: 'How does it fit my framework?', queries: ['express', 'fastify'], page: 'frameworks' },
  { question: 'Can a worker make IDs?', queries: ['cloudflare workers', 'edge'], page: 'edge' },
  { question: 'How do I run it in Kubernetes?', queries: ['kubernetes'], page: 'kubernetes' },
  {
    question: 'Which settings are there?',
    queries: ['configuration', 'KAZAHANA_STORE'],
    page: 'configuration',
  },
  { question: 'What does this metric mean?', queries: ['kazahana_pool_held'], page: 'metrics' },
  { question: 'How do I restore a backup?', queries: ['restore backup'], page: 'disaster' },
  { question: 'How do I upgrade?', queries: ['upgrade'], page: 'upgrades' },
];
