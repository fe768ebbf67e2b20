// What a stranger does first with each entry point of the package. One expression serves for JavaScript and
// TypeScript, for `import` and `require`, and in the browser.

export interface EntryPointCheck {
  readonly names: readonly string[];
  /** An expression over those names that is true when the entry point works. */
  readonly holds: string;
}

/** The keys are those of `exports` in the library's package.json. */
export const entryPointChecks: Readonly<Record<string, EntryPointCheck>> = {
  '.': {
    names: ['KazahanaClient', 'decodeId', 'toExternalId', 'toInternalId'],
    holds:
      'toInternalId(toExternalId(42n)) === 42n && decodeId(42n).sequence === 42 && ' +
      'decodeId(new KazahanaClient().nextIdSync()).fallback',
  },
  './uuid': {
    names: ['generateV7', 'isUuid', 'parseUuid'],
    holds: "isUuid(generateV7()) && parseUuid(generateV7()).version === 'v7'",
  },
  './estelle': {
    names: ['decodeConversationId', 'encodeConversationId', 'encodePylonId', 'encodeWorkspaceId'],
    holds:
      'decodeConversationId(encodeConversationId(encodeWorkspaceId(encodePylonId(1, 2), 3), 4))' +
      '.conversationIndex === 4',
  },
  './layout': {
    names: ['defineLayout'],
    holds:
      "defineLayout({ name: 'ticket', bits: 16, fields: [{ name: 'shop', bits: 6 }, { name: 'number', bits: 10 }] })" +
      '.encode({ shop: 3, number: 7 }) === 3079',
  },
  './external': {
    names: ['toExternalId', 'toInternalId'],
    holds:
      "toExternalId(0x0123456789abcdefn, { algorithm: 'none' }) === 'ASNFZ4mrze8' && " +
      "toInternalId(toExternalId(42n, { secret: 'a secret' }), { secret: 'a secret' }) === 42n",
  },
  './inspect': {
    names: ['compareIds', 'findIds', 'inspectId'],
    holds:
      "inspectId('01941f29-7c00-7aaa-aaaa-aaaaaaaaaaaa', { now: 1800000000000 }).readings[0].title === 'UUID v7' && " +
      "[...findIds('id=137465797017601287')].length === 1",
  },
  './lease': {
    names: ['resolvePools', 'signRelease'],
    holds: "signRelease('secret', 1, 2).length === 64 && resolvePools().service().pool === 'default'",
  },
  './testing': {
    names: ['leaseProviderConformance', 'virtualEnvironment'],
    holds: 'virtualEnvironment({ at: 5 }).now() === 5 && typeof leaseProviderConformance === "function"',
  },
  './zod': {
    names: ['kazahanaId', 'uuid'],
    holds: "kazahanaId().parse('42') === 42n && !uuid(7).safeParse('42').success",
  },
  './drizzle': {
    names: ['pgKazahanaId', 'sqliteUuid'],
    holds: "typeof pgKazahanaId('id').primaryKey === 'function' && typeof sqliteUuid === 'function'",
  },
  './opentelemetry': {
    names: ['observeClient'],
    holds: "typeof observeClient === 'function'",
  },
  './compat/uuid': {
    names: ['v4', 'v5', 'v7', 'validate', 'version'],
    holds:
      "validate(v4()) && version(v7()) === 7 && v5('www.example.com', v5.DNS) === '2ed6657d-e927-568b-95e1-2665a8aea6a2'",
  },
};

/** A file of a package, not code: there is nothing to call. */
export function isPlainFile(entry: string): boolean {
  return entry.endsWith('.json');
}
