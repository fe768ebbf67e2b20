// Requests and responses as schemas: they check requests, and the OpenAPI document is made of them, each under the name
// that it has here. The limits are those of `checkAcquire` and `checkRelease` in the library, which every provider applies
// once more.
import { type ClientReport, makeLayout, REPORT_FIELDS } from 'kazahana/lease';
import { z } from 'zod';

const count = (max = Number.MAX_SAFE_INTEGER) => z.int().min(0).max(max);
const text = z.string().min(1).max(200);
const time = count().describe('Unix milliseconds');

const MAX_META = 16;
const MAX_META_NAME = 64;
const MAX_META_TEXT = 256;
const MAX_META_BYTES = 1024;
/** As many as fit into a body. */
const MAX_CLAIMS = 64;
const MAX_THROUGHPUT = 2 ** 31;
const MAX_SIGNATURE = 200;
export const MAX_MACHINE_ID = 2 ** 30 - 1;
export const MAX_IDS = 10_000;
/** The most leases that one response has, but for those of the last machine ID: a full pool has megabytes of them. */
export const MAX_PAGE = 1000;

/** The windows of a lease and of its fallback. */
const window = { created: time, expired: time, fallbackUntil: time };
const signature = z.string().max(MAX_SIGNATURE);
const report = z.strictObject(
  Object.fromEntries(REPORT_FIELDS.map((field) => [field, count()])) as Record<keyof ClientReport, z.ZodInt>,
);

export const renewalClaim = z.strictObject({
  pool: text,
  id: count(MAX_MACHINE_ID),
  bitId: z.int().min(1).max(30),
  bitSeq: z.int().min(1).max(30),
  ...window,
  timestamp: time,
  signature,
  proof: signature.optional(),
});

export const acquireRequest = z.strictObject({
  serviceId: text.optional(),
  meta: z
    .record(z.string().min(1).max(MAX_META_NAME), z.string().max(MAX_META_TEXT))
    .refine((meta) => Object.keys(meta).length <= MAX_META, `at most ${MAX_META} entries`)
    .refine(
      (meta) => Buffer.byteLength(JSON.stringify(meta)) <= MAX_META_BYTES,
      `at most ${MAX_META_BYTES} bytes of JSON`,
    )
    .meta({ maxProperties: MAX_META })
    .optional(),
  throughputPerMs: z.int().min(1).max(MAX_THROUGHPUT).optional(),
  requestId: text.optional(),
  seen: z.strictObject({ pool: text, serial: count(), proof: signature.optional() }).optional(),
  renew: z.array(renewalClaim).max(MAX_CLAIMS).optional(),
  report: report.optional(),
});

const layout = z.object(makeLayout((field) => (field === 'customEpoch' ? z.int() : count(64))));

export const lease = z.object({
  id: count(MAX_MACHINE_ID),
  created: time,
  expired: time,
  fallbackUntil: time.optional(),
  secret: z.string(),
  ...layout.shape,
  proof: z.string().optional(),
});

export const acquireResponse = z.object({
  leases: z.array(lease).min(1),
  requestId: text.optional(),
  now: time.optional(),
  pool: z.string().optional(),
  serial: count().optional(),
  proof: z.string().optional(),
  isRepeated: z.boolean().optional(),
});

export const releaseRequest = z.strictObject({
  // A malformed signature gets the same refusal as a wrong one.
  signature: signature.describe('64 lower-case hexadecimal digits'),
  timestamp: time,
  serviceId: text.optional(),
  report: report.optional(),
});

export const leaseParams = z.object({
  id: z.string().regex(/^(?:0|[1-9][0-9]{0,9})$/, 'must be a machine ID'),
});

/** The largest 64-bit number has 20 digits. */
const MAX_ID = 2n ** 64n - 1n;
export const idParams = z.object({
  id: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,19})$/, 'must be a 64-bit ID in decimal digits')
    .refine((id) => !/^[0-9]{1,20}$/.test(id) || BigInt(id) <= MAX_ID, 'must be a 64-bit ID'),
});

export const whois = z.object({
  id: z.string().describe('decimal'),
  pool: z.string(),
  unixMs: time,
  machineId: count(),
  sequence: count(),
  isFallback: z.boolean(),
  maker: z
    .object({
      serviceId: z.string(),
      holder: z.record(z.string(), z.string()),
      created: time,
      end: time,
    })
    .nullable()
    .describe('null when no slot remembers it; a random ID has no maker on record'),
});

export const idsRequest = z.strictObject({ count: z.int().min(1).max(MAX_IDS), serviceId: text.optional() });

export const idsResponse = z.object({
  ids: z.array(z.string().regex(/^[0-9]{1,20}$/)).describe('decimal, in rising order'),
});

export const poolQuery = z.strictObject({ pool: text.optional() });

/** A number in a query. */
const digits = (max: number) =>
  z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,9})$/, 'must be a whole number')
    .refine((given) => Number(given) <= max, `must be at most ${max}`)
    .transform(Number);

export const poolPageQuery = z.strictObject({
  pool: text.optional(),
  after: digits(MAX_MACHINE_ID).optional().describe('leases of machine IDs above this one'),
  limit: digits(MAX_PAGE).optional().describe(`how many leases: ${MAX_PAGE} at most, and when left out`),
});

export const pool = z.object({
  name: z.string(),
  id: z.string(),
  serial: count(),
  now: time,
  layout,
  share: z.object({ index: count(), of: count() }),
  slots: count(),
  held: count(),
  heldBy: z.record(z.string(), count()).optional().describe('by configured service'),
  quarantinedUntil: time,
});

export const inspectedLease = z.object({
  id: count(MAX_MACHINE_ID),
  bitSeq: count(64),
  serviceId: z.string(),
  holder: z.record(z.string(), z.string()),
  ...window,
});

export const poolState = z.object({
  pools: z.array(z.string()),
  pool: pool,
  leases: z.array(inspectedLease).describe('by machine ID'),
  next: count(MAX_MACHINE_ID).nullable().describe('`after` for the next page; null: this is the last'),
});

export const createPoolRequest = z.strictObject({ pool: text.optional(), afterLoss: z.boolean().optional() });
export const quarantineRequest = z.strictObject({ pool: text.optional() });
export const revokeRequest = z.strictObject({ id: count(MAX_MACHINE_ID), pool: text.optional() });
export const layoutRequest = z.strictObject({
  bitId: z.int().min(1).max(31),
  bitSeq: z.int().min(0).max(31),
  pool: text.optional(),
});

export const health = z.object({ status: z.string(), store: z.string().optional() });

export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
});
