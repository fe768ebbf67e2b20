// "Save picture": the bits as a file, SVG or PNG, in the colours of the theme in view.
import { words } from '../i18n/index.js';
import type { Bits } from '../ui/bit-digits.js';
import { saveBlob, saveText } from '../ui/copy.jsx';
import { drawShapes, type Palette, ROLES, shapesOf, toSvg } from './picture-file.js';

/** The colours as the theme has them now. */
function paletteOf(element: Element): Palette {
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const tints = Object.fromEntries(
    ROLES.map((role) => [role, { tint: colour(`--${role}`), ink: colour(`--${role}-ink`) }]),
  ) as Palette['roles'];
  const palette = { paper: colour('--card'), ink: colour('--ink'), soft: colour('--soft'), roles: tints };
  probe.remove();
  return palette;
}

const PNG_SCALE = 2;

export function SavePicture(props: { drawing: Bits; title: string }) {
  const shapes = (event: Event) =>
    shapesOf(props.drawing, props.title, paletteOf(event.currentTarget as Element));
  const savePng = (event: Event) => {
    const picture = shapes(event);
    const canvas = document.createElement('canvas');
    canvas.width = picture.width * PNG_SCALE;
    canvas.height = picture.height * PNG_SCALE;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.scale(PNG_SCALE, PNG_SCALE);
    drawShapes(context, picture);
    canvas.toBlob((blob) => blob && saveBlob(blob, 'id.png'), 'image/png');
  };
  return (
    <p class="note save">
      {words().savePicture}
      <button
        type="button"
        class="plain"
        aria-label={`${words().savePicture}: SVG`}
        onClick={(event) => saveText(toSvg(shapes(event)), 'id.svg', 'image/svg+xml')}
      >
        SVG
      </button>
      <button type="button" class="plain" aria-label={`${words().savePicture}: PNG`} onClick={savePng}>
        PNG
      </button>
    </p>
  );
}
