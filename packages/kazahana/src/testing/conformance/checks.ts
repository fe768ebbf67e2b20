// The few assertions that the conformance suites need, so that they depend on no test runner.

/** A provider or a driver does not do what it must. The message begins with the rule that it breaks. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';

  constructor(
    readonly rule: string,
    override readonly cause: unknown,
  ) {
    super(`${rule}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

export function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

/** JSON with the keys in order, so that equal values are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    // JSON writes null for all of these.
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

export function equal(what: string, actual: unknown, expected: unknown): void {
  const [got, wanted] = [canonical(actual), canonical(expected)];
  check(got === wanted, `${what} must be ${wanted}, it is ${got}`);
}

/** The error of a call that must be refused with one of these codes; no codes given: with any. */
export async function refusal(
  what: string,
  codes: readonly string[],
  call: () => Promise<unknown>,
): Promise<Error> {
  let error: unknown;
  try {
    await call();
  } catch (thrown) {
    error = thrown;
  }
  check(error !== undefined, `${what} must be refused, it is not`);
  const { code } = error as { code?: unknown };
  const wanted = codes.length === 0 ? 'an error that has a code' : `the code ${codes.join(' or ')}`;
  check(
    error instanceof Error && typeof code === 'string' && (codes.length === 0 || codes.includes(code)),
    `${what} must be refused with ${wanted}, it is refused with ${String(code)}: ${String(error)}`,
  );
  return error;
}
