import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventReader } from './sse.js';

const text =
  'event: state\ndata: {"a":1}\n\n: still here\n\nevent: change\r\ndata: x\r\ndata: y\r\n\r\ndata: bare\n\n';
const events = [
  { event: 'state', data: '{"a":1}' },
  { event: 'change', data: 'x\ny' },
  { event: 'message', data: 'bare' },
];

describe('events', () => {
  it('come out of one piece', () => expect(createEventReader()(text)).toEqual(events));

  it('are the same however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const read = createEventReader();
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const found = places.slice(1).flatMap((to, i) => read(text.slice(places[i], to)));
        expect(found).toEqual(events);
      }),
    );
  });

  it('without an end have not come yet', () => expect(createEventReader()('data: half\n')).toEqual([]));
});
