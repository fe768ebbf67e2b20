// The heap, the handles and the records of each life over time, side by side.
import { type Life, MEASURES, type Measure } from './samples.ts';

const CELL = { width: 200, height: 70 };
const GAP = { x: 30, y: 34 };
const LEFT = 110;
const TOP = 34;
const TITLES: Readonly<Record<Measure, string>> = {
  heap: 'heap after gc, MB',
  handles: 'handles',
  records: 'rows, keys',
};
const FILLS: Readonly<Record<Measure, string>> = { heap: '#3b82c4', handles: '#d9902f', records: '#3f9950' };

const shown = (measure: Measure, value: number) =>
  measure === 'heap' ? (value / 2 ** 20).toFixed(1) : String(Math.round(value));

export function drawLives(lives: readonly Life[]): string {
  const width = LEFT + MEASURES.length * (CELL.width + GAP.x);
  const height = TOP + lives.length * (CELL.height + GAP.y);
  const cells = lives.flatMap(({ name, samples }, row) => {
    const y = TOP + row * (CELL.height + GAP.y);
    const label = `<text x="8" y="${y + CELL.height / 2}">${name}</text>`;
    const charts = MEASURES.map((measure, column) => {
      const x = LEFT + column * (CELL.width + GAP.x);
      const most = Math.max(1, ...samples.map((sample) => sample[measure]));
      const points = samples.map((sample, i) => {
        const px = x + (i / Math.max(1, samples.length - 1)) * CELL.width;
        return `${px.toFixed(1)},${(y + CELL.height - (sample[measure] / most) * CELL.height).toFixed(1)}`;
      });
      return [
        `<rect x="${x}" y="${y}" width="${CELL.width}" height="${CELL.height}" fill="none" stroke="#888" stroke-opacity="0.3"/>`,
        `<polyline points="${points.join(' ')}" fill="none" stroke="${FILLS[measure]}" stroke-width="1.5"/>`,
        `<text x="${x + CELL.width}" y="${y - 4}" text-anchor="end">${shown(measure, most)}</text>`,
      ].join('\n');
    });
    return [label, ...charts];
  });
  const titles = MEASURES.map(
    (measure, column) => `<text x="${LEFT + column * (CELL.width + GAP.x)}" y="14">${TITLES[measure]}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Heap, handles and records of long lives, each from zero: flat lines">
<style>text { font: 12px system-ui, sans-serif; fill: #777 }</style>
${[...titles, ...cells].join('\n')}
</svg>
`;
}
