// Draws the map on a canvas: thousands of cells at once, which elements could not.
import type { MapGeometry } from './map-geometry.js';
import { type PoolSummary, type PoolView, slotsOf, stateOf } from './pool-state.js';

export interface MapColours {
  readonly free: string;
  readonly services: readonly string[];
  readonly kept: string;
  readonly mark: string;
  readonly line: string;
}

export const mapHeight = (width: number, { columns, rows }: MapGeometry): number =>
  Math.ceil(rows * (width / columns));

/** The canvas' colours, as the theme has them now. */
export function coloursOf(canvas: HTMLCanvasElement): MapColours {
  const colour = (name: string) => {
    canvas.style.color = `var(${name})`;
    return getComputedStyle(canvas).color;
  };
  return {
    free: colour('--shade'),
    services: [0, 1, 2, 3, 4].map((index) => colour(`--service-${index}`)),
    kept: colour('--warm'),
    mark: colour('--warm'),
    line: colour('--edge'),
  };
}

export interface MapPicture {
  readonly view: PoolView;
  readonly summary: PoolSummary;
  readonly geometry: MapGeometry;
  readonly at: number;
  readonly selected: number;
}

export function drawMap(
  canvas: HTMLCanvasElement,
  width: number,
  { view, summary, geometry, at, selected }: MapPicture,
): void {
  const scale = Math.max(1, devicePixelRatio);
  const height = mapHeight(width, geometry);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  if (!context) return;
  context.scale(scale, scale);
  const colours = coloursOf(canvas);
  const { from: firstSlot, columns, cells, perCell } = geometry;
  const cellOf = (slot: number) => Math.floor((slot - firstSlot) / perCell);
  const size = width / columns;
  const inset = size > 10 ? 1.5 : 0.5;
  const place = (cell: number) => [(cell % columns) * size, Math.floor(cell / columns) * size] as const;
  const fill = (cell: number) => {
    const [x, y] = place(cell);
    context.fillRect(x + inset, y + inset, size - 2 * inset, size - 2 * inset);
  };

  context.fillStyle = colours.free;
  for (let cell = 0; cell < cells; cell++) fill(cell);

  for (const lease of view.leases) {
    const state = stateOf(lease, at);
    if (state === 'free') continue;
    const [from, to] = slotsOf(lease, view.pool);
    const service = summary.services.findIndex(({ serviceId }) => serviceId === lease.serviceId);
    const left = (lease.expired - at) / Math.max(1, lease.expired - lease.created);
    for (let cell = Math.max(0, cellOf(from)); cell <= cellOf(to - 1) && cell < cells; cell++) {
      const [x, y] = place(cell);
      if (state === 'held') {
        // What is about to end fades.
        context.globalAlpha = 0.4 + 0.6 * Math.max(0, Math.min(1, left));
        context.fillStyle = colours.services[service % colours.services.length] ?? colours.line;
        fill(cell);
        context.globalAlpha = 1;
      } else {
        context.strokeStyle = colours.kept;
        context.lineWidth = Math.max(1, size / 8);
        context.strokeRect(x + inset + 1, y + inset + 1, size - 2 * inset - 2, size - 2 * inset - 2);
        context.beginPath();
        context.moveTo(x + inset, y + size - inset);
        context.lineTo(x + size - inset, y + inset);
        context.stroke();
      }
    }
  }
  const outline = (slot: number, colour: string) => {
    const [x, y] = place(cellOf(slot));
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
  };
  const isShown = (slot: number) => slot >= firstSlot && slot < firstSlot + cells * perCell;
  const next = summary.next ? slotsOf(summary.next, view.pool)[0] : -1;
  if (isShown(next)) outline(next, colours.mark);
  canvas.style.color = 'var(--ink)';
  if (isShown(selected)) outline(selected, getComputedStyle(canvas).color);
}
