// A moment in words: UTC, the local time, and how long ago.
import { relativeTime } from 'kazahana/inspect';

// Made when they are needed: they take milliseconds, and most commands read one ID.
let words: Intl.RelativeTimeFormat | undefined;
let local: Intl.DateTimeFormat | undefined;

export function relativeText(unixMs: number, now: number): string {
  const { value, unit } = relativeTime(unixMs, now);
  words ??= new Intl.RelativeTimeFormat('en', { numeric: 'always' });
  return value === 0 ? 'now' : words.format(value, unit);
}

export function utcText(unixMs: number): string {
  return isDate(unixMs) ? new Date(unixMs).toISOString() : 'beyond all dates';
}

/** Like the ISO form, with the name of the zone. */
export function localText(unixMs: number): string {
  if (!isDate(unixMs)) return 'beyond all dates';
  local ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
  return `${local.format(unixMs)} ${local.resolvedOptions().timeZone}`;
}

const isDate = (unixMs: number) => Math.abs(unixMs) <= 8.64e15;
