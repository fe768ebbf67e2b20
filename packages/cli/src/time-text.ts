// A moment in words: UTC, the local time, and how long ago.
import { relativeTime } from 'kazahana/inspect';

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

export function relativeText(unixMs: number, now: number): string {
  const { value, unit } = relativeTime(unixMs, now);
  return value === 0 ? 'now' : words.format(value, unit);
}

export function utcText(unixMs: number): string {
  return isDate(unixMs) ? new Date(unixMs).toISOString() : 'beyond all dates';
}

const LOCAL = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Like the ISO form, with the name of the zone. */
export function localText(unixMs: number): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isDate(unixMs) ? `${LOCAL.format(unixMs)} ${zone}` : 'beyond all dates';
}

const isDate = (unixMs: number) => Math.abs(unixMs) <= 8.64e15;
