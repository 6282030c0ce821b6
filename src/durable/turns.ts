/** The time after which a turn ends by itself: its worker has died. */
const LONGEST_MS = 30_000;

/** Turns, of which one runs at a time, in the order in which they were asked for. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #number = 0;
  readonly #open = new Map<number, () => void>();

  /** Waits for a turn. Returns its number. */
  async begin(): Promise<number> {
    const before = this.#last;
    const number = (this.#number += 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    const timer = setTimeout(() => this.end(number), LONGEST_MS);
    this.#open.set(number, () => {
      clearTimeout(timer);
      resolve();
    });
    return number;
  }

  end(number: number): void {
    this.#open.get(number)?.();
    this.#open.delete(number);
  }
}
