// Reads the answer to an acquire. It comes from outside, so nothing about it is believed until it has been looked at;
// whether its leases make sense is for the client to judge.
import { LeaseError } from '../lease/errors.js';
import type { AcquireResponse } from '../lease/types.js';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown) => typeof value === 'string';
const isInteger = (value: unknown) => Number.isSafeInteger(value);
const orAbsent = (test: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || test(value);

const ANSWER = {
  leases: (value: unknown) => Array.isArray(value) && value.length > 0,
  requestId: orAbsent(isText),
  now: orAbsent(isInteger),
  pool: orAbsent(isText),
  serial: orAbsent(isInteger),
  proof: orAbsent(isText),
  isRepeated: orAbsent((value) => typeof value === 'boolean'),
};

const LEASE = {
  id: isInteger,
  created: isInteger,
  expired: isInteger,
  secret: isText,
  customEpoch: isInteger,
  bitReserve: isInteger,
  bitTs: isInteger,
  bitId: isInteger,
  bitSeq: isInteger,
  fallbackUntil: orAbsent(isInteger),
  proof: orAbsent(isText),
};

/** An answer that is not one; its text is not shown, because secrets may be in it. */
export class BadResponseError extends LeaseError {
  override readonly name = 'BadResponseError';

  constructor(what: string, options?: { cause?: unknown }) {
    super('BAD_RESPONSE', `the lease server's answer is not understood: ${what}`, options);
  }
}

/** The fields that are known; others are left out, so that an answer is what its type says. */
function readFields(
  where: string,
  value: unknown,
  tests: Readonly<Record<string, (value: unknown) => boolean>>,
): Fields {
  if (!isObject(value)) throw new BadResponseError(`${where} is no object`);
  const known = Object.entries(tests).map(([name, test]) => {
    if (!test(value[name])) throw new BadResponseError(`${name} of ${where} is missing or of another type`);
    return [name, value[name]] as const;
  });
  return Object.fromEntries(known.filter(([, field]) => field !== undefined));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own error quotes the text.
    throw new BadResponseError('it is no JSON');
  }
}

export function readAnswer(text: string): AcquireResponse {
  const answer = readFields('the answer', parseJson(text), ANSWER);
  const leases = (answer.leases as unknown[]).map((lease, index) =>
    readFields(`lease ${index}`, lease, LEASE),
  );
  return { ...answer, leases } as unknown as AcquireResponse;
}
