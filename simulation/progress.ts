// How far a long run is, on stderr: a bar on a terminal, else a line now and then.

const BAR_WIDTH = 30;
/** Without a terminal: a line whenever so much more is done, in percent. */
const STEP = 5;

export class Progress {
  readonly #total: number;
  readonly #startedAt = performance.now();
  #told = 0;

  constructor(total: number) {
    this.#total = total;
  }

  update(done: number): void {
    const percent = Math.floor((100 * done) / this.#total);
    const text = `${percent} %, ${done} of ${this.#total}, ${this.#left(done)}`;
    if (process.stderr.isTTY) {
      const bar = '#'.repeat(Math.round((BAR_WIDTH * done) / this.#total)).padEnd(BAR_WIDTH, '.');
      process.stderr.write(`\r${bar} ${text}\x1b[K`);
    } else if (percent >= this.#told + STEP) {
      this.#told = percent - (percent % STEP);
      process.stderr.write(`${text}\n`);
    }
  }

  /** Takes the bar away. */
  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }

  /** What is left, should it go on as it went. */
  #left(done: number): string {
    const seconds = ((performance.now() - this.#startedAt) / 1000 / done) * (this.#total - done);
    return seconds < 90 ? `${Math.round(seconds)} s left` : `${Math.round(seconds / 60)} min left`;
  }
}
