// A terminal as far as the command uses one: what stands where, and in which colour. Written out so that
// people can read it: below a line with colours, a line of letters that name them.

interface Cell {
  readonly text: string;
  readonly style: string;
}

const EMPTY: Cell = { text: ' ', style: ' ' };
/** The second half of a wide character. */
const COVERED: Cell = { text: '', style: '' };
const STYLES: Readonly<Record<number, string>> = {
  ...{ 0: ' ', 1: 'B', 2: 'd', 4: 'U', 22: ' ', 24: ' ', 39: ' ', 90: 'k' },
  ...{ 31: 'r', 32: 'g', 33: 'y', 34: 'b', 35: 'm', 36: 'c' },
};
/** Wide ones, as far as tests have them: of our own, for the command's own idea of them is what is tested. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys
const TOKEN = /\u001b\[(?<parameters>[0-9;?]*)(?<verb>[A-Za-z])|[\s\S]/gu;

export class Screen {
  readonly #columns: number;
  readonly #rows: Cell[][];
  #row = 0;
  #column = 0;
  #style = ' ';

  constructor(columns = 80, rows = 24) {
    this.#columns = columns;
    this.#rows = Array.from({ length: rows }, () => this.#emptyRow());
  }

  write(text: string): this {
    for (const match of text.matchAll(TOKEN)) {
      const { parameters = '', verb } = match.groups ?? {};
      if (verb === undefined) this.#put(match[0]);
      else this.#obey(verb, parameters);
    }
    return this;
  }

  /** The rows without their colours, from the first to the last that is not empty. */
  get text(): string {
    return this.#rows
      .map((row) =>
        row
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      )
      .join('\n')
      .trimEnd();
  }

  /** The picture with its colours. */
  get picture(): string {
    const used = this.text.split('\n').length;
    const lines = this.#rows.slice(0, used).flatMap((row) => {
      const styles = row
        .map(({ style }) => style)
        .join('')
        .trimEnd();
      const text = row
        .map(({ text: cell }) => cell)
        .join('')
        .trimEnd();
      return [`│${text}`.trimEnd(), ...(styles === '' ? [] : [`╎${styles}`])];
    });
    return `${lines.join('\n')}\n\nB bold  d dim  U underlined  r red  g green  y yellow  b blue  m magenta  c cyan  k gray\n`;
  }

  #emptyRow(): Cell[] {
    return Array.from({ length: this.#columns }, () => EMPTY);
  }

  #put(character: string): void {
    if (character === '\n' || character === '\r') {
      if (character === '\n') this.#nextRow();
      else this.#column = 0;
      return;
    }
    const width = WIDE.test(character) ? 2 : 1;
    if (this.#column + width > this.#columns) {
      this.#column = 0;
      this.#nextRow();
    }
    const row = this.#rows[this.#row] ?? [];
    row[this.#column] = { text: character, style: this.#style };
    if (width === 2) row[this.#column + 1] = { ...COVERED, style: this.#style };
    this.#column += width;
  }

  #nextRow(): void {
    if (this.#row < this.#rows.length - 1) this.#row++;
    else {
      this.#rows.shift();
      this.#rows.push(this.#emptyRow());
    }
  }

  #obey(verb: string, parameters: string): void {
    if (verb === 'm') this.#style = STYLES[Number(parameters.split(';').at(-1) || 0)] ?? '?';
    else if (verb === 'H') {
      this.#row = 0;
      this.#column = 0;
    } else if (verb === 'K' || verb === 'J') {
      this.#rows[this.#row]?.fill(EMPTY, this.#column);
      if (verb === 'J')
        for (let row = this.#row + 1; row < this.#rows.length; row++) this.#rows[row]?.fill(EMPTY);
    }
  }
}
