import type { D1Database } from "@cloudflare/workers-types";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STEP = 50_000;

let logs = 0;

/**
 * Writes `count` log entries, spread evenly over the last `days`, with their totals, using only
 * SQL: one in ten failed, one bounced, one suppressed; every third of the others opened.
 */
export async function fillLog(
  db: D1Database,
  projectId: string,
  count: number,
  days: number,
): Promise<void> {
  logs += 1;
  const spanMs = days * DAY_MS;
  const start = Date.now() - spanMs;
  const insert = db.prepare(
    `insert into log_entries (id, project_id, to_email, subject, status, sent_at, opened_at)
     with recursive n(i) as (select ?3 union all select i + 1 from n where i + 1 < ?4)
     select unhex(printf('01b0%04d000070008000%012d', ?2, i)), unhex(?1, '-'), 'r' || (i % 5000) || '@any.test', 'Hello',
       case i % 10 when 0 then 1 when 1 then 2 when 2 then 3 else 0 end,
       ?5 + cast(i * ?6 as integer),
       case when i % 10 > 2 and i % 3 = 0 then ?5 + cast(i * ?6 as integer) + 60000 end
     from n`,
  );
  for (let from = 0; from < count; from += STEP)
    await insert
      .bind(projectId, logs, from, Math.min(from + STEP, count), start, spanMs / count)
      .run();
  const grains = { all: Number.MAX_SAFE_INTEGER, hour: HOUR_MS, day: DAY_MS };
  for (const [grain, length] of Object.entries(grains))
    await db
      .prepare(
        `insert into rollups
           (project_id, kind, grain, bucket_at, sent, failed, bounced, suppressed, opened, opens)
         select ?1, 'log', ?2, sent_at - sent_at % ?3 as bucket, sum(status = 0),
           sum(status = 1), sum(status = 2), sum(status = 3),
           sum(opened_at is not null), sum(opened_at is not null)
         from log_entries where project_id = unhex(?1, '-') group by bucket`,
      )
      .bind(projectId, grain, length)
      .run();
}
