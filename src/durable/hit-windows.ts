import { judgeHit, strictest, type Slot, type Verdict } from "../lib/sliding-window.ts";
import type { Hit } from "../project-object.ts";

/** Minimum time between two removals of idle buckets, which happen within a call. */
const SWEEP_PAUSE_MS = 60_000;

/**
 * The longest window that stays in memory; longer ones, of which there may be many, are read again.
 */
const REMEMBERED_MS = 3_600_000;

/**
 * Exact rate limits in the storage of an object. A bucket is one row. A refused hit writes nothing.
 * An eviction loses no hit that was answered, and an idle object keeps only its last two minutes.
 */
export class HitWindows {
  readonly #sql: SqlStorage;
  /**
   * Rows written since the object woke up, except those of long windows, and hits that are not
   * stored yet.
   */
  readonly #windows = new Map<string, Slot[]>();
  /** The buckets whose last hits are not stored, and when each is idle. */
  readonly #unstored = new Map<string, number>();
  #sweptMs = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      "create table if not exists windows (bucket text primary key, slots text not null, idle_at integer not null) without rowid",
    );
  }

  /**
   * Judges and stores one hit. The runtime holds back the object's answers until the row is stored.
   */
  takeAll(hits: [Hit, ...Hit[]]): Verdict {
    const verdict = this.count(hits);
    this.store();
    return verdict;
  }

  /**
   * Judges one hit against several limits. It counts for all of them, or for none if one refuses.
   * It runs synchronously, so two calls never see the same count. The caller stores it before it
   * answers.
   */
  count([one, ...others]: [Hit, ...Hit[]]): Verdict {
    const now = Date.now();
    const judge = ([bucket, limit]: Hit) => ({
      bucket,
      limit,
      ...judgeHit(limit, this.#read(bucket), now),
    });
    const first = judge(one);
    const judged = [first, ...others.map(judge)];
    const verdict = strictest([first.verdict, ...judged.slice(1).map((next) => next.verdict)]);
    if (verdict.allowed)
      for (const { bucket, limit, slots } of judged) {
        this.#unstored.set(bucket, now + limit.windowMs);
        this.#windows.set(bucket, slots);
      }
    return verdict;
  }

  /** Stores the hits that are not stored yet: one row for each bucket. */
  store(): void {
    const now = Date.now();
    for (const [bucket, idleAtMs] of this.#unstored) {
      this.#write(bucket, this.#windows.get(bucket) ?? [], idleAtMs);
      if (idleAtMs - now > REMEMBERED_MS) this.#windows.delete(bucket);
    }
    this.#unstored.clear();
    if (now - this.#sweptMs >= SWEEP_PAUSE_MS) this.#sweep(now);
  }

  #read(bucket: string): Slot[] {
    const known = this.#windows.get(bucket);
    if (known) return known;
    const [row] = this.#sql.exec<{ slots: string }>(
      "select slots from windows where bucket = ?",
      bucket,
    );
    return row ? JSON.parse(row.slots) : [];
  }

  #write(bucket: string, slots: Slot[], idleAtMs: number): void {
    this.#sql.exec(
      `insert into windows (bucket, slots, idle_at) values (?, ?, ?)
       on conflict (bucket) do update set slots = excluded.slots, idle_at = excluded.idle_at`,
      bucket,
      JSON.stringify(slots),
      idleAtMs,
    );
  }

  /**
   * Removes expired buckets. The bucket in use is never among them: it was just written or is full.
   */
  #sweep(now: number): void {
    this.#sweptMs = now;
    const idle = this.#sql.exec<{ bucket: string }>(
      "delete from windows where idle_at <= ? returning bucket",
      now,
    );
    for (const { bucket } of idle) this.#windows.delete(bucket);
  }
}
