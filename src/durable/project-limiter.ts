import { DurableObject } from "cloudflare:workers";
import type {
  PermitAsk,
  PermitGrant,
  SendingUse,
  VersionedLimits,
} from "../lib/permits/permit-messages.ts";
import { Permits } from "../lib/permits/permits.ts";
import { judgeHit, strictest, type Limit, type Slot, type Verdict } from "../lib/sliding-window.ts";
import { permitStore } from "./permit-store.ts";

/** Minimum time between two removals of idle buckets, which happen within a call. */
const SWEEP_PAUSE_MS = 60_000;

/**
 * The exact rate limits of one project, or of one part of all logins. A bucket is one row, written
 * once per allowed hit; the runtime holds the response back until the row is stored. A refused hit
 * writes nothing. An eviction loses nothing, and an idle object keeps only its last two minutes.
 */
export class ProjectLimiter extends DurableObject {
  /** Rows read or written since the object woke up. */
  readonly #windows = new Map<string, Slot[]>();
  #sweptMs = 0;
  #permits: Permits | undefined;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    const { sql } = state.storage;
    sql.exec("drop table if exists hits"); // an older local state has one row per hit
    sql.exec(
      "create table if not exists windows (bucket text primary key, slots text not null, idle_at integer not null) without rowid",
    );
  }

  /** Judges and counts one hit. It runs synchronously, so two calls never see the same count. */
  take(bucket: string, limit: Limit): Verdict {
    return this.takeAll([[bucket, limit]]);
  }

  /**
   * Judges one hit against several limits. It counts for all of them, or for none if one refuses.
   */
  takeAll(limits: [[bucket: string, limit: Limit], ...[bucket: string, limit: Limit][]]): Verdict {
    const now = Date.now();
    const judge = ([bucket, limit]: [string, Limit]) => ({
      bucket,
      limit,
      ...judgeHit(limit, this.#read(bucket), now),
    });
    const [first, ...rest] = limits;
    const judged = [judge(first), ...rest.map(judge)] as const;
    const [{ verdict: one }, ...others] = judged;
    const verdict = strictest([one, ...others.map((other) => other.verdict)]);
    if (verdict.allowed)
      for (const { bucket, limit, slots } of judged) {
        this.#write(bucket, slots, now + limit.windowMs);
        this.#windows.set(bucket, slots);
      }
    if (now - this.#sweptMs >= SWEEP_PAUSE_MS) this.#sweep(now);
    return verdict;
  }

  /** Gives a worker that sends to many its connections and mails (services/sending). */
  askPermit(ask: PermitAsk): PermitGrant {
    return this.#permitsNow().ask(ask, Date.now());
  }

  /** Takes over newer limits of the project's server. Returns its use at this moment. */
  limitSending(limits: VersionedLimits): SendingUse {
    const permits = this.#permitsNow();
    permits.configure(limits);
    return permits.use(Date.now());
  }

  /** Objects that count logins alone have no permits and no tables for them. */
  #permitsNow(): Permits {
    return (this.#permits ??= new Permits(permitStore(this.ctx.storage.sql), Date.now()));
  }

  #read(bucket: string): Slot[] {
    const known = this.#windows.get(bucket);
    if (known) return known;
    const [row] = this.ctx.storage.sql.exec<{ slots: string }>(
      "select slots from windows where bucket = ?",
      bucket,
    );
    return row ? JSON.parse(row.slots) : [];
  }

  #write(bucket: string, slots: Slot[], idleAtMs: number): void {
    this.ctx.storage.sql.exec(
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
    const idle = this.ctx.storage.sql.exec<{ bucket: string }>(
      "delete from windows where idle_at <= ? returning bucket",
      now,
    );
    for (const { bucket } of idle) this.#windows.delete(bucket);
  }
}
