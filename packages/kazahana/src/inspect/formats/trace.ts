// IDs of traces: W3C Trace Context, its parts, and Datadog's, which begins with a time.
import { numberOf, random, roleLayout, zero } from '../bits.js';
import { bitFormat, cut, textFacts } from '../facts.js';
import { message } from '../messages.js';
import { fromHex, hexOf } from '../radix.js';
import { inSeconds, isoOf } from '../times.js';
import type { Format } from '../types.js';

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const isZero = (digits: string) => /^0+$/.test(digits);

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparent: Format<'w3c-traceparent'> = {
  name: 'w3c-traceparent',
  title: 'W3C traceparent',
  family: 'trace',
  shape: { lengths: [55], alphabet: /[0-9a-f-]/ },
  recognise(text) {
    const [, version = '', trace = '', span = '', flags = ''] = TRACEPARENT.exec(text) ?? [];
    if (trace === '' || version === 'ff' || isZero(trace) || isZero(span)) return undefined;
    const isSampled = Number(`0x${flags}`) % 2 === 1;
    return {
      strength: 'certain',
      facts: textFacts({
        text,
        segments: cut(
          text,
          ['version', 'version', 3],
          ['trace', 'random', 33],
          ['span', 'sequence', 17],
          ['flags', 'other'],
        ),
        notes: [message(isSampled ? 'note-sampled' : 'note-not-sampled')],
        forms: [
          { name: 'trace-id', text: trace },
          { name: 'span-id', text: span },
        ],
      }),
    };
  },
};

const hexFormat = <const Name extends string>(name: Name, title: string, bits: number) =>
  bitFormat({
    name,
    title,
    family: 'trace',
    layout: roleLayout(title, [random('random', bits)]),
    parse: (text) =>
      text.length === bits / 4 && /^[0-9a-f]*[a-f][0-9a-f]*$/.test(text) ? fromHex(text) : undefined,
    write: (value) => hexOf(value, bits),
    strength: 'shared',
    tell: () => ({ randomBits: bits }),
  });

/** https://docs.datadoghq.com/tracing/guide/span_and_trace_id_format/ */
const datadog = bitFormat({
  name: 'datadog-trace-id',
  title: 'Datadog trace ID',
  family: 'trace',
  since: Date.UTC(2015, 0, 1),
  layout: roleLayout('Datadog trace ID', [
    { name: 'seconds', bits: 32, role: 'time', reading: (value) => isoOf(inSeconds(value)) },
    zero('zero', 32),
    random('random', 64),
  ]),
  parse: (text) => (/^[0-9a-f]{8}0{8}[0-9a-f]{16}$/.test(text) ? fromHex(text) : undefined),
  write: (value) => hexOf(value, 128),
  strength: 'telling',
  tell: (fields) => ({
    time: inSeconds(numberOf(fields, 'seconds')),
    order: 'time',
    randomBits: 64,
  }),
});

export const traceFormats = [
  traceparent,
  datadog,
  hexFormat('trace-id', 'trace ID', 128),
  hexFormat('span-id', 'span ID', 64),
] as const;
