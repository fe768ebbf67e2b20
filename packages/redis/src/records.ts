// How what a pool keeps is written in Redis. What the scripts compare stands first in a value, and ends with a space:
// the version of a slot, the time of a response.
import type { Changes, Facts, ReadSlot, StoredResponse, StoredSlot } from 'kazahana/lease';
import { fromField, type PoolKeys, toField, toWord } from './keys.js';

export type SlotText = readonly [field: string, value: string | null];

const slotValue = (version: string, { freeFrom, quotas, data }: StoredSlot) =>
  `${version} ${freeFrom} ${JSON.stringify([quotas, data])}`;

export function readSlot([field, value]: SlotText): ReadSlot {
  const key = fromField(field);
  if (value === null) return { ...key, freeFrom: 0, quotas: [], data: '', version: null };
  const [version = '', freeFrom = ''] = value.split(' ', 2);
  const [quotas, data] = JSON.parse(value.slice(version.length + freeFrom.length + 2)) as [string[], string];
  return { ...key, freeFrom: Number(freeFrom), quotas, data, version };
}

const responseValue = ({ created, slots }: StoredResponse) => [created, ...slots.map(toField)].join(' ');

export function readResponse(request: string, value: string): StoredResponse {
  const [created, ...slots] = value.split(' ');
  return { request, created: Number(created), slots: slots.map(fromField) };
}

/** The keys of a write, and what its script is told. Sorted sets are named by the places of their keys. */
export function writeArguments(names: PoolKeys, changes: Changes, facts: Facts, newVersion: string) {
  const { poolVersion, pool, grants, serialAtLeast } = changes;
  const keys = [names.pool, names.slots, names.responses];
  const places = new Map<string, number>();
  const placeOf = (key: string, ...following: readonly string[]): number => {
    // Lua counts from 1.
    const place = places.get(key) ?? keys.push(key, ...following) - following.length;
    places.set(key, place);
    return place;
  };
  const quotaPlaces = (quotas: readonly string[]) => quotas.map((quota) => placeOf(names.quota(quota)));
  const told = {
    ...{ version: poolVersion ?? '', newVersion, grants, serialAtLeast },
    ...(pool !== undefined && { pool: JSON.stringify(pool) }),
    ...{ server: facts.incarnation?.id ?? '', now: String(facts.now) },
    slots: changes.slots.map(({ before, after }) => ({
      ...{ field: toField(after), version: before.version ?? '', value: slotValue(newVersion, after) },
      ...{ number: after.slot, freeFrom: after.freeFrom },
      key: placeOf(names.gaps(after.generation), names.order(after.generation)),
      ...{ left: quotaPlaces(before.quotas), joined: quotaPlaces(after.quotas) },
    })),
    responses: changes.responses.map(({ before, after }) => {
      return { request: toWord(after.request), before: String(before ?? ''), value: responseValue(after) };
    }),
    forget: changes.forget.map(({ request, created }) => [toWord(request), String(created)]),
    quotas: changes.quotas.map(({ quota, count }) => ({ key: placeOf(names.quota(quota)), count })),
  };
  return { keys, args: [JSON.stringify(told)] };
}
