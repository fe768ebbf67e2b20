// A time as a person writes it.

/** Unix milliseconds of what a person writes: a number, or a date and time, UTC when no zone is said. */
export function readTime(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^-?\d{5,16}$/.test(trimmed)) return Number(trimmed);
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
    trimmed,
  );
  if (!match) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = match;
  const unixMs = Date.parse(`${day}T${time}${zone}`);
  if (Number.isNaN(unixMs)) return undefined;
  // Date would take the 30th of February for a day in March.
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day ?? '') ? unixMs : undefined;
}
