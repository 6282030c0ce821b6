import type { OutgoingMessage } from "./message.ts";
import type { Shipment } from "./shipment.ts";

/** A message on its way to a session. */
export interface Work<Item> {
  item: Item;
  isSecondTry: boolean;
  /** True once a try has begun to hand the content over. */
  hasBegun: boolean;
}

/** Interrupts a take at once: it gets only what is there already. */
const AT_ONCE = Promise.resolve();

/** The messages of a shipment that no lane holds: those to take, and those that a lane returned. */
export class Supply<Item extends OutgoingMessage> {
  readonly #takeItem: Shipment<Item>["take"];
  /** Messages that an ended lane held, for the lanes that carry on. */
  readonly #returned: Work<Item>[] = [];
  #isDrained = false;
  /** Interrupts the lanes that wait for a message. */
  #stir = Promise.withResolvers<void>();

  constructor(take: Shipment<Item>["take"]) {
    this.#takeItem = take;
  }

  /** True while returned messages wait for a lane. */
  get hasReturned(): boolean {
    return this.#returned.length > 0;
  }

  /** Takes back the messages of a lane that ends. */
  return(held: Work<Item>[]): void {
    this.#returned.push(...held);
    this.stirUp();
  }

  /** Takes no more messages, because the shipment is stopped. */
  close(): void {
    this.#isDrained = true;
    this.stirUp();
  }

  /**
   * Makes waiting lanes look again at what they wait for: another lane has returned messages, or a
   * window was lost and its lane holds some for a fresh session.
   */
  stirUp(): void {
    this.#stir.resolve();
    this.#stir = Promise.withResolvers();
  }

  /**
   * Fills up to `count` messages. Waits for them while `mayWait` is true. Returns false when `held`
   * stays empty. Throws what the caller's `take` throws.
   */
  async refill(held: Work<Item>[], count: number, mayWait = () => true): Promise<boolean> {
    while (held.length < count) {
      const work = this.#returned.shift() ?? (await this.#take(mayWait()));
      if (work) held.push(work);
      else if (!this.hasReturned && (this.#isDrained || !mayWait())) break;
    }
    return held.length > 0;
  }

  async #take(mayWait: boolean): Promise<Work<Item> | undefined> {
    if (this.#isDrained) return undefined;
    const item = await this.#takeItem(mayWait ? this.#stir.promise : AT_ONCE);
    if (item === undefined) this.#isDrained = true;
    return item ? { item, isSecondTry: false, hasBegun: false } : undefined;
  }
}
