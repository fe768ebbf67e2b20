/** Seconds that the connection of a caller without a token stays open when it is idle: connections are bounded. */
export const SHORT_KEEP_ALIVE = 5;

/** For every response: no cache keeps it, no browser guesses its type, no other site frames or reads it. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
