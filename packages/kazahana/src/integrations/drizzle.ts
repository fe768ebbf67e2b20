// kazahana/drizzle: columns for Drizzle. A 64-bit ID is an exact bigint in each of the three databases, whatever its driver
// makes of 64 bits; one that has lost digits on the way is refused.
import { customType as mysqlType } from 'drizzle-orm/mysql-core';
import { customType as pgType } from 'drizzle-orm/pg-core';
import { customType as sqliteType } from 'drizzle-orm/sqlite-core';
import { InvalidArgumentError } from '../errors.js';
import type { KazahanaId } from '../id/index.js';
import { formatUuid, uuidToBytes } from '../uuid/index.js';

/** Drivers give a bigint, a text or a number, by their configuration. */
type Wide = bigint | string | number;

function fromDriver(value: Wide): KazahanaId {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError(
      'the value of the column',
      'read as a bigint or as text (a number has lost digits; see docs/drizzle.md)',
      value,
    );
  }
  return BigInt(value) as KazahanaId;
}

interface IdColumn {
  readonly data: bigint;
  readonly driverData: Wide;
}

/** `bigint` of PostgreSQL. */
export const pgKazahanaId = pgType<IdColumn>({ dataType: () => 'bigint', toDriver: String, fromDriver });

/** `bigint` of MySQL and MariaDB. */
export const mysqlKazahanaId = mysqlType<IdColumn>({
  dataType: () => 'bigint',
  toDriver: String,
  fromDriver,
});

/** `integer` of SQLite. */
export const sqliteKazahanaId = sqliteType<IdColumn>({
  dataType: () => 'integer',
  toDriver: (id) => id,
  fromDriver,
});

interface UuidBytes {
  readonly data: string;
  readonly driverData: Uint8Array;
}

const BYTES = {
  toDriver: (uuid: string) => uuidToBytes(uuid),
  // Drivers give subclasses of Uint8Array, or arrays over shared memory.
  fromDriver: (bytes: Uint8Array) => formatUuid(Uint8Array.from(bytes)),
};

/** `uuid` of PostgreSQL. */
export const pgUuid = pgType<{ readonly data: string; readonly driverData: string }>({
  dataType: () => 'uuid',
});

/** A UUID in the 16 bytes of a `binary(16)` of MySQL and MariaDB. */
export const mysqlUuid = mysqlType<UuidBytes>({ dataType: () => 'binary(16)', ...BYTES });

/** A UUID in the 16 bytes of a `blob` of SQLite. */
export const sqliteUuid = sqliteType<UuidBytes>({ dataType: () => 'blob', ...BYTES });
