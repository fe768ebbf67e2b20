// The odds that random IDs of different clients are equal. The tables and the picture of docs/uniqueness.md, the page and the
// statistics of a client use this formula.

/**
 * The odds that, of `clients` runs of `each` IDs in one millisecond, at least two have an ID in common. Starts are
 * drawn from `places`; runs keep apart when neighbouring starts are at least `each` apart, and pulling each - 1 places
 * out of every gap makes of such starts any choice of different places. So this is exact.
 *
 * ```ts
 * Math.round(1 / oddsOfMeeting(2, 1, 2 ** 21)); // → 2097152
 * ```
 */
export function oddsOfMeeting(clients: number, each: number, places: number): number {
  const pulled = (clients - 1) * (each - 1);
  let logApart = 0;
  for (let i = 0; i < clients; i++) {
    const occupied = (pulled + i) / places;
    // Beyond here, apart is less likely than a double can tell from impossible.
    if (occupied >= 1 || logApart < -40) return 1;
    logApart += Math.log1p(-occupied);
  }
  return -Math.expm1(logApart);
}

/** The odds of at least one meeting in so many such milliseconds. */
export function oddsOfAnyMeeting(milliseconds: number, odds: number): number {
  return odds >= 1 ? Math.min(1, milliseconds) : -Math.expm1(milliseconds * Math.log1p(-odds));
}
