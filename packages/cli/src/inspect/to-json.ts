// What is known of a text, as one object for programs: messages as their English text, 64-bit numbers as text.
import type { Inspection, Message, Reading } from 'kazahana/inspect';
import { fallbackReadings } from '../fallback-readings.js';

const textOf = ({ text }: Message) => text;

function readingToJson(reading: Reading): object {
  const { format, title, family, certainty, reason, sentence, text, bits, value } = reading;
  const { time, order, randomBits, maker, contains, fallback, alike, notes, forms, fields } = reading;
  return {
    ...{ format, title, family, certainty, reason: textOf(reason), sentence, text, bits, value },
    ...{ time: time?.iso ?? null, unixMs: time?.unixMs ?? null, precision: time?.precision ?? null },
    ...{ order, randomBits, maker, contains, alike, fallback },
    ...(fallback && fallbackReadings(reading)),
    notes: notes.map(textOf),
    forms: Object.fromEntries(forms.map(({ name, text: form }) => [name, form])),
    fields: fields.map(({ name, role, offset, bits: width, value: part, reading: meaning, inRange }) => ({
      ...{ name, role, offset, bits: width, value: part, reading: meaning, inRange },
    })),
  };
}

export function toJson(input: string, { subject, takenOff, readings }: Inspection): object {
  return { input, subject, takenOff: takenOff.map(textOf), readings: readings.map(readingToJson) };
}
