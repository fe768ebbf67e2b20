// Requests that are sent together: whoever asks while enough are under way waits, and shares the next with all who
// wait. Alone, nobody waits.

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Grouped<Item, Result> {
  readonly #waiting: Waiting<Item, Result>[] = [];
  readonly #choose: (items: readonly Item[]) => ReadonlySet<Item>;
  readonly #send: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #atOnce: number;
  #underWay = 0;

  /** `choose` says which of those that wait go next, at least one of them; `send` has a result for each, in order. */
  constructor(
    choose: (items: readonly Item[]) => ReadonlySet<Item>,
    send: (items: readonly Item[]) => Promise<readonly Result[]>,
    atOnce = 1,
  ) {
    this.#atOnce = atOnce;
    this.#choose = choose;
    this.#send = send;
  }

  /** The signal ends the waiting of this one; what is under way goes on for the others. */
  ask(item: Item, signal?: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const waiting: Waiting<Item, Result> = {
        item,
        resolve: (result) => {
          signal?.removeEventListener('abort', leave);
          resolve(result);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      const leave = () => {
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1);
        waiting.reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave);
      this.#waiting.push(waiting);
      if (this.#underWay < this.#atOnce) void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    this.#underWay++;
    // Whoever asks in the same breath is in the same group.
    await null;
    while (this.#waiting.length > 0) {
      const chosen = this.#choose(this.#waiting.map(({ item }) => item));
      const group = this.#waiting.filter(({ item }) => chosen.has(item));
      const rest = this.#waiting.filter(({ item }) => !chosen.has(item));
      this.#waiting.splice(0, this.#waiting.length, ...rest);
      try {
        const results = await this.#send(group.map(({ item }) => item));
        group.forEach(({ resolve }, place) => {
          resolve(results[place] as Result);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#underWay--;
  }
}
