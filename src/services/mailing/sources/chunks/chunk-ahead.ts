import type { ChunkRow, Page } from "../../../broadcasts/index.ts";
import { dueOf } from "./due-recipients.ts";

/**
 * The largest page of recipients, and the time for which it may be used: whoever unsubscribes or is
 * suppressed while a broadcast runs expects no further mail.
 */
const PAGE = { most: 500, least: 50, ageMs: 4_000 };

/**
 * One step through a chunk. Without `recipient`, the recipient with this id has left the audience.
 */
interface Step<Recipient> {
  id: string;
  recipient: Recipient | undefined;
  isRetry: boolean;
}

/** The cursor of a chunk, its end, and the recipients to retry before the cursor moves on. */
export type ChunkPlace = Pick<ChunkRow, "cursorId" | "untilId" | "again">;

/** The part of a chunk that is read but not claimed. */
export class ChunkAhead<Recipient extends { id: string }> {
  readonly #place: ChunkPlace;
  /** Recipients who must wait beyond this time are not read. */
  readonly #startedAt: number;
  readonly #steps: Step<Recipient>[] = [];
  /** The last id of the range that was read. */
  #readTo: string;
  #readAt = 0;
  #size = PAGE.most;
  /** The steps taken since the last page was read. */
  #taken = 0;

  /** `place` moves with the recipients that are taken. */
  constructor(place: ChunkPlace, startedAt: number) {
    this.#place = place;
    this.#startedAt = startedAt;
    this.#readTo = place.cursorId;
  }

  /** True if nobody is left, read or not. */
  get isThrough(): boolean {
    const { again, cursorId, untilId } = this.#place;
    return dueOf(again, this.#startedAt).length === 0 && cursorId >= untilId;
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /** Returns what to read next, or undefined if nothing is left to read. */
  nextPage(): Page | undefined {
    const { again, untilId } = this.#place;
    const size = this.#size;
    const ids = dueOf(again, this.#startedAt).slice(0, size);
    if (ids.length > 0) return { kind: "ids", ids: ids.map(({ id }) => id), size };
    if (this.#readTo >= untilId) return undefined;
    return { kind: "range", after: this.#readTo, to: untilId, size };
  }

  /** Adds a page that was read. */
  add(page: Page, recipients: Recipient[], now: number): void {
    this.#readAt = now;
    this.#taken = 0;
    if (page.kind === "ids") {
      const found = new Map(recipients.map((recipient) => [recipient.id, recipient]));
      for (const id of page.ids) this.#steps.push({ id, recipient: found.get(id), isRetry: true });
      return;
    }
    for (const recipient of recipients)
      this.#steps.push({ id: recipient.id, recipient, isRetry: false });
    const last = recipients.at(-1);
    this.#readTo = last && recipients.length === page.size ? last.id : page.to;
    if (recipients.length === 0) this.#place.cursorId = page.to;
  }

  /** Forgets a page that is too old. The next one has as many recipients as this one used. */
  expire(now: number): void {
    if (this.isEmpty || now - this.#readAt <= PAGE.ageMs) return;
    this.#size = Math.max(PAGE.least, this.#taken);
    this.#steps.length = 0;
    this.#readTo = this.#place.cursorId;
  }

  /** Takes up to `count` recipients, and moves past those who have left. */
  take(count: number): Recipient[] {
    const taken: Recipient[] = [];
    let retries = 0;
    while (taken.length < count) {
      const step = this.#steps.shift();
      if (!step) break;
      this.#taken += 1;
      if (step.isRetry) retries += 1;
      else this.#place.cursorId = step.id;
      if (step.recipient) taken.push(step.recipient);
    }
    if (retries > 0) this.#place.again = this.#place.again.slice(retries);
    if (this.isEmpty) this.#pass();
    return taken;
  }

  /** Ends a page of which everybody is taken. */
  #pass(): void {
    this.#size = Math.min(PAGE.most, 2 * this.#size);
    const { again, untilId } = this.#place;
    const isLast = this.#readTo >= untilId && dueOf(again, this.#startedAt).length === 0;
    if (isLast) this.#place.cursorId = untilId;
  }
}
