import { DurableObject } from "cloudflare:workers";
import { judgeHit, type Limit, type Verdict } from "../services/limits/sliding-window.ts";

/** Hits older than this count for no limit and are removed, whatever bucket they are in. */
const LONGEST_WINDOW_MS = 60_000;

/** The exact rate limits of one project, or of one part of all logins; hits live in its storage, so an eviction forgets nothing. */
export class ProjectLimiter extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    state.storage.sql.exec(
      "create table if not exists hits (bucket text not null, at integer not null)",
    );
    state.storage.sql.exec("create index if not exists hits_by_bucket on hits (bucket, at)");
    state.storage.sql.exec("create index if not exists hits_by_time on hits (at)");
  }

  /** Judges and counts one hit. One synchronous turn: two calls never see the same count. */
  take(bucket: string, limit: Limit): Verdict {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    sql.exec("delete from hits where at <= ?", now - LONGEST_WINDOW_MS);
    const { count, oldest } = sql
      .exec<{ count: number; oldest: number | null }>(
        "select count(*) as count, min(at) as oldest from hits where bucket = ? and at > ?",
        bucket,
        now - limit.windowMs,
      )
      .one();
    const verdict = judgeHit(limit, count, oldest ?? undefined, now);
    if (verdict.allowed) sql.exec("insert into hits (bucket, at) values (?, ?)", bucket, now);
    return verdict;
  }
}
