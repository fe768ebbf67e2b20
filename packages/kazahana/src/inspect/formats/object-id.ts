// MongoDB's ObjectId: seconds, a value of the process, a counter.
import { machine, numberOf, roleLayout, sequence } from '../bits.js';
import { bitFormat, hexSegments } from '../facts.js';
import { fromHex, hexOf } from '../radix.js';
import { inSeconds, isoOf } from '../times.js';

const objectIdText = (value: bigint) => hexOf(value, 96);

/** https://www.mongodb.com/docs/manual/reference/bson-types/#objectid */
const objectId = bitFormat({
  name: 'mongodb-object-id',
  title: 'MongoDB ObjectId',
  family: 'object-id',
  since: Date.UTC(2007, 0, 1),
  shape: { lengths: [24], alphabet: /[0-9a-f]/i },
  layout: roleLayout('ObjectId', [
    { name: 'seconds', bits: 32, role: 'time', reading: (value) => isoOf(inSeconds(value)) },
    { ...machine('process', 40), reading: (value) => hexOf(BigInt(value), 40) },
    sequence('counter', 24),
  ]),
  parse: (text) => (text.length === 24 ? fromHex(text) : undefined),
  write: objectIdText,
  strength: 'telling',
  tell: (fields, value) => ({
    time: inSeconds(numberOf(fields, 'seconds')),
    order: 'time',
    randomBits: 40,
    maker: { field: 'process', text: hexOf(BigInt(numberOf(fields, 'process')), 40) },
    segments: hexSegments(objectIdText(value), fields),
  }),
});

export const objectIdFormats = [objectId] as const;
