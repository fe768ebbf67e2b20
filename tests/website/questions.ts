// Questions of new users that no page covered: each must be found by the search of the site.

export interface Question {
  readonly question: string;
  /** What a reader would type. */
  readonly query: string;
  /** The page that begins with the explanation, without `.html`. */
  readonly page: string;
}

export const QUESTIONS: readonly Question[] = [
  { question: 'Which ID should I use?', query: 'which id', page: 'which-id' },
  { question: 'How do I rotate the secret of external IDs?', query: 'rotate secret', page: 'external-ids' },
  { question: 'How do I send a bigint as JSON?', query: 'bigint JSON', page: 'databases' },
  { question: 'How do I log and measure a client?', query: 'client events metrics', page: 'observing' },
  { question: 'How do I test a program that uses it?', query: 'fake timers', page: 'testing' },
  { question: 'What does this error code mean?', query: 'STORE_MAY_EVICT', page: 'errors' },
  { question: 'How do I migrate from Twitter-style IDs?', query: 'migrate twitter', page: 'migrating' },
  { question: 'How do I migrate from uuid?', query: 'migrate uuid', page: 'from-uuid' },
  { question: 'How do I write a store?', query: 'write a store', page: 'writing-a-store' },
  { question: 'Where do I start?', query: 'library in 60 seconds', page: 'start-library' },
];
