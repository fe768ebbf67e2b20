// The table of contents of the site: every page of docs/ stands here once, and a test says so.

export interface Page {
  readonly title: string;
  /** The file in docs/, without `.md`. */
  readonly path: string;
  /** Pages on its parts, which stand under it. */
  readonly parts: readonly Page[];
}

export interface Chapter {
  readonly title: string;
  readonly pages: readonly Page[];
}

const page = (path: string, title: string, ...parts: Page[]): Page => ({ path, title, parts });

export const REFERENCE = 'Reference';

export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Start here',
    pages: [
      page('start-library', 'The library in 60 seconds'),
      page('start-server', 'The server in 60 seconds'),
      page('create', 'A new project'),
      page('which-id', 'Which ID should I use?'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('uuid', 'UUIDs'),
      page('ids', '64-bit IDs'),
      page('strict-mode', 'Strict mode'),
      page('external-ids', 'External IDs'),
      page(
        'databases',
        'Databases',
        page('database-drivers', 'pg, mysql2, SQLite'),
        page('drizzle', 'Drizzle'),
        page('kysely', 'Kysely'),
        page('prisma', 'Prisma'),
        page('typeorm', 'TypeORM'),
      ),
      page('json', 'JSON, OpenAPI, GraphQL'),
      page('frameworks', 'Frameworks'),
      page('edge', 'Edge and browsers'),
      page('testing', 'Testing'),
      page('observing', 'Observing a client'),
      page('estelle', 'Estelle IDs'),
      page('inspect', 'What is this ID?'),
      page('layouts', 'Bit layouts'),
      page('page-pictures', 'The page in pictures'),
    ],
  },
  {
    title: 'Operations',
    pages: [
      page('operations', 'Run the server'),
      page('stores', 'Stores'),
      page('securing', 'Secure the server'),
      page('sizing', 'Size a pool'),
      page('kubernetes', 'Kubernetes'),
      page('fixed-machine-id', 'A fixed machine ID'),
      page('monitoring', 'Monitoring'),
      page('upgrades', 'Upgrades'),
      page('disaster', 'When something goes wrong'),
      page('security', 'Threat model'),
    ],
  },
  {
    title: 'How it works',
    pages: [
      page('uniqueness', 'Why no two IDs are equal'),
      page('protocol', 'The lease protocol'),
      page('decisions', 'Decisions'),
      page('external-id-definition', 'How external IDs are made'),
      page('writing-a-store', 'Write a store'),
      page('scale', 'Scale'),
    ],
  },
  {
    // The API pages stand here, too: they are made from the types.
    title: REFERENCE,
    pages: [
      page('cli', 'Command line'),
      page('terminal-session', 'A session at a terminal'),
      page('configuration', 'Configuration'),
      page('metrics', 'Metrics'),
      page('errors', 'Errors by code'),
      page('glossary', 'Glossary'),
    ],
  },
  { title: 'Performance', pages: [page('performance', 'Performance')] },
  {
    title: 'Reliability',
    pages: [page('reliability', 'What was tried'), page('long-life', 'Long life')],
  },
  {
    title: 'Migrating',
    pages: [page('migrating', 'From other IDs, and back'), page('from-uuid', 'From uuid')],
  },
  { title: 'Recipes', pages: [page('recipes', 'Recipes')] },
  { title: 'Questions', pages: [page('faq', 'Questions')] },
];

/** The paths of all pages in their order. */
export function pathsOf(pages: readonly Page[]): string[] {
  return pages.flatMap(({ path, parts }) => [path, ...pathsOf(parts)]);
}

/** Pages that the site makes itself, or shows outside the chapters. */
export const OTHER_PAGES: readonly string[] = ['index'];
