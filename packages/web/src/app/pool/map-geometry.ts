// How the cells of the map lie: all numbers that can be leased, several to a cell where there are very many, and below
// them the half that is never leased.
export interface MapGeometry {
  readonly columns: number;
  readonly rows: number;
  readonly cells: number;
  /** How many machine numbers a cell stands for. */
  readonly perCell: number;
}

const MAX_CELLS = 8192;

export function mapOf(slots: number): MapGeometry {
  const perCell = Math.ceil(slots / MAX_CELLS);
  const cells = Math.ceil(slots / perCell);
  const columns = cells <= 256 ? 32 : cells <= 1024 ? 64 : 128;
  return { columns: Math.min(columns, cells), rows: Math.ceil(cells / columns), cells, perCell };
}

/** The machine number under a point of the map, both as parts of its width and height. */
export function slotAt(
  { columns, rows, cells, perCell }: MapGeometry,
  x: number,
  y: number,
): number | undefined {
  if (x < 0 || x >= 1 || y < 0 || y >= 1) return undefined;
  const cell = Math.floor(y * rows) * columns + Math.floor(x * columns);
  return cell < cells ? cell * perCell : undefined;
}

/** Where a key leads from a machine number; undefined for other keys. */
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
