// The bit picture: fields by colour and label, hexadecimal digits above, each bit a switch. The table below it says the same.
import { createMemo, createSignal } from 'solid-js';
import { words } from '../i18n/index.js';
import type { BitRange, Bits } from './bit-digits.js';
import { columnsFor, geometryOf } from './bit-geometry.js';
import { BitLayer, bitOf, rangeOf } from './bit-layer.jsx';
import { createWidth } from './frame-width.js';

export function BitPicture(props: {
  drawing: Bits;
  title: string;
  lit: BitRange;
  onLit: (range: BitRange) => void;
  /** Bits can be flipped when it is given. */
  onFlip?: ((index: number) => void) | undefined;
}) {
  const [pixels, setFrame] = createWidth();
  const [active, setActive] = createSignal(0);
  let picture: SVGSVGElement | undefined;

  const bits = createMemo(() => props.drawing.bits);
  const columns = createMemo(() => columnsFor(pixels(), bits()));
  /** Redrawn only when the layout changes, not with every flipped bit. */
  const shape = createMemo(() => geometryOf(props.drawing.fields, bits(), columns()), undefined, {
    equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });

  const move = (to: number) => {
    const index = Math.max(0, Math.min(bits() - 1, to));
    setActive(index);
    picture?.querySelector<SVGGElement>(`[data-bit="${index}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = bitOf(event);
    if (index === undefined || !props.onFlip) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      ArrowUp: index - columns(),
      ArrowDown: index + columns(),
      Home: 0,
      End: bits() - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === ' ' || event.key === 'Enter') props.onFlip(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="picture" ref={setFrame}>
      <svg
        ref={(element) => (picture = element)}
        viewBox={`0 0 ${shape().width} ${shape().height}`}
        style={{ 'max-width': `${shape().width * 1.15}px` }}
        role={props.onFlip ? 'group' : 'img'}
        aria-label={words().bits.picture(props.title, String(bits()))}
        data-testid="picture"
        onClick={(event) => {
          const index = bitOf(event);
          if (index === undefined) return;
          setActive(index);
          props.onFlip?.(index);
        }}
        onKeyDown={onKeyDown}
        onFocusIn={(event) => props.onLit(rangeOf(event, shape()))}
        onFocusOut={() => props.onLit(undefined)}
        onPointerOver={(event) => props.onLit(rangeOf(event, shape()))}
        onPointerLeave={() => props.onLit(undefined)}
      >
        <BitLayer
          drawing={props.drawing}
          shape={shape()}
          lit={props.lit}
          active={active()}
          canFlip={props.onFlip !== undefined}
        />
      </svg>
    </div>
  );
}
