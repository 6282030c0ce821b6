import { DurableObject } from "cloudflare:workers";
import { judgeHit, type Limit, type Verdict } from "../services/limits/sliding-window.ts";

/** The exact rate limits of one project; hits live in its storage, so an eviction forgets nothing. */
export class ProjectLimiter extends DurableObject {
  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    state.storage.sql.exec(
      "create table if not exists hits (bucket text not null, at integer not null)",
    );
    state.storage.sql.exec("create index if not exists hits_by_bucket on hits (bucket, at)");
  }

  /** Judges and counts one hit. One synchronous turn: two calls never see the same count. */
  take(bucket: string, limit: Limit): Verdict {
    const { sql } = this.ctx.storage;
    const now = Date.now();
    sql.exec("delete from hits where bucket = ? and at <= ?", bucket, now - limit.windowMs);
    const { count, oldest } = sql
      .exec<{ count: number; oldest: number | null }>(
        "select count(*) as count, min(at) as oldest from hits where bucket = ?",
        bucket,
      )
      .one();
    const verdict = judgeHit(limit, count, oldest ?? undefined, now);
    if (verdict.allowed) sql.exec("insert into hits (bucket, at) values (?, ?)", bucket, now);
    return verdict;
  }
}
