// The bits of two IDs: each row of the first, and right below it that of the second, so that bits which differ stand under
// each other.
import type { Reading } from 'kazahana/inspect';
import { createMemo } from 'solid-js';
import { words } from '../i18n/index.js';
import type { BitRange } from '../ui/bit-digits.js';
import { columnsFor, pairGeometry } from '../ui/bit-geometry.js';
import { BitLayer, rangeOf } from '../ui/bit-layer.jsx';
import { createWidth } from '../ui/frame-width.js';

export function PairPicture(props: {
  /** As many bits in the one as in the other. */
  readings: readonly [Reading, Reading];
  lit: BitRange;
  onLit: (range: BitRange) => void;
}) {
  const [pixels, setFrame] = createWidth();
  const bits = () => props.readings[0].bits;
  const shapes = createMemo(() => {
    const [upper, lower] = props.readings;
    return pairGeometry([upper.fields, lower.fields], bits(), columnsFor(pixels(), bits()));
  });
  const differing = () => props.readings[0].value ^ props.readings[1].value;
  return (
    <div class="picture" ref={setFrame}>
      <svg
        viewBox={`0 0 ${shapes()[0].width} ${shapes()[0].height}`}
        style={{ 'max-width': `${shapes()[0].width * 1.15}px` }}
        role="img"
        aria-label={words().compare.picture}
        data-testid="pair"
        onPointerOver={(event) => props.onLit(rangeOf(event, shapes()[0]))}
        onPointerLeave={() => props.onLit(undefined)}
      >
        <BitLayer drawing={props.readings[0]} shape={shapes()[0]} lit={props.lit} differing={differing()} />
        <BitLayer drawing={props.readings[1]} shape={shapes()[1]} lit={props.lit} differing={differing()} />
      </svg>
    </div>
  );
}
