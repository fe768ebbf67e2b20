// The time of UUID v1: 100 ns ticks since 15 October 1582, when the Gregorian calendar began.

/** From the beginning of the Gregorian calendar to that of Unix time. */
export const GREGORIAN_OFFSET_MS = 12_219_292_800_000;
export const TICKS_PER_MS = 10_000;
