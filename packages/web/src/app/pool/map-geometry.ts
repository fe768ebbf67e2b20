// How the cells of the map lie: the slots in view, several to a cell where there are very many.

/** A part of a pool: `slots` of them, beginning with `from`. */
export interface MapPart {
  readonly from: number;
  readonly slots: number;
}

export interface MapGeometry {
  /** The slot of the first cell. */
  readonly from: number;
  readonly columns: number;
  readonly rows: number;
  readonly cells: number;
  /** How many slots a cell stands for. */
  readonly perCell: number;
}

const MAX_CELLS = 8192;

/** A row or two are drawn at least, so that a map of one slot is still a map. */
const LEAST = 64;
/** Room to grow before the map changes its size. */
const STEP = 64;

/** How many slots are shown when the map is cropped to those in use. */
export function croppedSlots(usedSlots: number, slots: number): number {
  return Math.min(slots, Math.max(LEAST, Math.ceil((usedSlots + 1) / STEP) * STEP));
}

/** Where a part of so many slots begins that has a slot in its middle, as far as the pool allows. */
function partAround(slot: number, wanted: number, slots: number): MapPart {
  const size = Math.min(slots, Math.max(LEAST, Math.ceil(wanted / STEP) * STEP));
  const middle = Math.round((slot - size / 2) / STEP) * STEP;
  return { from: Math.max(0, Math.min(slots - size, middle)), slots: size };
}

/** Half or twice as many slots, around one of them. */
export function zoomed(part: MapPart, direction: 'in' | 'out', around: number, slots: number): MapPart {
  return partAround(around, direction === 'in' ? part.slots / 2 : part.slots * 2, slots);
}

/** The same part while it has the slot in it; else as large a one that has. */
export function following(part: MapPart, slot: number, slots: number): MapPart {
  const isIn = slot >= part.from && slot < part.from + part.slots;
  return isIn && part.from + part.slots <= slots ? part : partAround(slot, part.slots, slots);
}

/** On a narrow screen the cells are as large, and half as many stand in a row. */
export function mapOf({ from, slots }: MapPart, isNarrow = false): MapGeometry {
  const perCell = Math.ceil(slots / MAX_CELLS);
  const cells = Math.ceil(slots / perCell);
  const columns = (cells <= 256 ? 32 : cells <= 1024 ? 64 : 128) / (isNarrow ? 2 : 1);
  return { from, columns: Math.min(columns, cells), rows: Math.ceil(cells / columns), cells, perCell };
}

/** The slot under a point of the map, both as parts of its width and height. */
export function slotAt(
  { from, columns, rows, cells, perCell }: MapGeometry,
  x: number,
  y: number,
): number | undefined {
  if (x < 0 || x >= 1 || y < 0 || y >= 1) return undefined;
  const cell = Math.floor(y * rows) * columns + Math.floor(x * columns);
  return cell < cells ? from + cell * perCell : undefined;
}

/** Where a key leads from a slot; undefined for other keys. */
export function moveBy(
  key: string,
  slot: number,
  slots: number,
  { columns, perCell }: MapGeometry,
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: slot - perCell,
    ArrowRight: slot + perCell,
    ArrowUp: slot - columns * perCell,
    ArrowDown: slot + columns * perCell,
    PageUp: slot - 8 * columns * perCell,
    PageDown: slot + 8 * columns * perCell,
    Home: 0,
    End: slots - 1,
  };
  const to = steps[key];
  return to === undefined ? undefined : Math.max(0, Math.min(slots - 1, to));
}
