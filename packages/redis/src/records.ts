// How what a pool keeps is written in Redis: a grant is one value of several lines, for all leases that one request got,
// so that taking many slots costs little more than taking one. Names are kept as JSON, which has no line breaks.
import type { Environment, LeaseRecord, PoolRecord, ResolvedService } from 'kazahana/lease';

/** What this version writes, and all that it reads. */
const FORMAT = 1;

/** Slots have so many digits that their order as text is their order as numbers: 2^29 is the highest number of slots. */
const SLOT_DIGITS = 9;
const SECRET_BYTES = 16;
const SECRET_DIGITS = 2 * SECRET_BYTES;
/** So many at a time: platforms give no more than 65,536 random bytes at once. */
const SECRETS_AT_ONCE = 1024;

export const slotText = (slot: number): string => String(slot).padStart(SLOT_DIGITS, '0');

/** As many secrets as leases may be granted, one after the other. */
export function drawSecrets(environment: Environment, count: number): string {
  let secrets = '';
  for (let left = count; left > 0; left -= SECRETS_AT_ONCE) {
    const bytes = environment.random(new Uint8Array(SECRET_BYTES * Math.min(left, SECRETS_AT_ONCE)));
    secrets += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  }
  return secrets;
}

/** The secret of the lease at this place of a grant. */
export const secretAt = (secrets: string, place: number): string =>
  secrets.slice(place * SECRET_DIGITS, (place + 1) * SECRET_DIGITS);

/** What of a pool changes seldom. */
export interface PoolState {
  /** Its serial moves with every grant, and is kept apart. */
  readonly pool: PoolRecord;
  /** Whether anybody counts leases by service or account. */
  readonly isCounted: boolean;
}

export function encodeState({ pool: { serial: _apart, ...pool }, isCounted }: PoolState): string {
  return JSON.stringify({ format: FORMAT, isCounted, ...pool });
}

/** Undefined when another version wrote it. */
export function decodeState(text: string, serial: number): PoolState | undefined {
  const { format, isCounted, ...pool } = JSON.parse(text) as {
    readonly format: unknown;
    readonly isCounted: boolean;
  } & Omit<PoolRecord, 'serial'>;
  return format === FORMAT ? { pool: { ...pool, serial }, isCounted } : undefined;
}

/** A request or a name, as it is kept; empty when there is none. */
export const encodeName = (name: string | null): string => (name === null ? '' : JSON.stringify(name));
const decodeName = (text: string): string | null => (text === '' ? null : (JSON.parse(text) as string));

/** The lines of a grant, counted from 1, in which the names stand that quotas count by. */
export const NAME_LINES = { service: 10, account: 11 } as const;

/** The lines of a grant that are known before it is made; the script puts the others before them. */
export function encodeGrantTail(
  { leaseDuration, fallbackGrace, serviceId }: ResolvedService,
  { bitId, bitSeq }: Pick<LeaseRecord, 'bitId' | 'bitSeq'>,
  account: string | null,
  holder: LeaseRecord['holder'],
): string {
  const names = [encodeName(serviceId), encodeName(account), JSON.stringify(holder)];
  return [leaseDuration, fallbackGrace, bitId, bitSeq, ...names].join('\n');
}

export interface DecodedGrant {
  readonly serial: string;
  /** Those that are neither released nor revoked. */
  readonly leases: readonly LeaseRecord[];
}

export function decodeGrant(lines: readonly string[]): DecodedGrant {
  const [serial = '', request = '', created = '', slots = '', secrets = '', ...tail] = lines;
  const [duration, grace, bitId, bitSeq, service = '', account = '', holder = '{}'] = tail;
  const expired = Number(created) + Number(duration);
  const common = {
    bitId: Number(bitId),
    bitSeq: Number(bitSeq),
    serviceId: decodeName(service) ?? '',
    holder: JSON.parse(holder) as Record<string, string>,
    created: Number(created),
    expired,
    fallbackUntil: expired + Number(grace),
    request: decodeName(request),
    account: decodeName(account),
  };
  const leases = slots
    .split(' ')
    .map((slot, place) => ({ ...common, id: Number(slot), secret: secretAt(secrets, place) }));
  return { serial, leases };
}
