import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { HOUR_MS } from "../../../lib/durations.ts";
import { bucketSql } from "../rollups/grains.ts";
import type { Span } from "./window.ts";

/** First opens by people in an hour. */
export interface OpenHour {
  /** The start of the hour, in milliseconds. */
  at: number;
  opens: number;
  /** The number of broadcasts with such opens. */
  broadcasts: number;
}

/**
 * Selects the opens of a project's broadcasts by hour. Reads a row for each hour and broadcast,
 * newest first, at most `rowMax`. The hours are in any order.
 */
export function selectOpenHours(
  db: Database,
  projectId: string,
  { from, to }: Span,
  rowMax: number,
) {
  return db.all<OpenHour>(
    sql`select hour_at as at, sum(opens) as opens, count(*) as broadcasts from (
        select hour_at, opens from open_hours
        where project_id = ${projectId} and hour_at >= ${from} and hour_at < ${to}
        order by hour_at desc limit ${rowMax})
      group by hour_at`,
  );
}

/** Opens of a broadcast in one of its first hours. `n` is 0 for the hour in which it began. */
export interface FirstOpens {
  broadcastId: string;
  n: number;
  opens: number;
}

/**
 * Selects the opens of the broadcasts whose ids `ids` selects, in the first `hours` UTC hours of
 * each. Looks up each hour, so that the opens of other broadcasts are not read.
 */
export function selectFirstOpens(db: Database, projectId: string, ids: SQL, hours: number) {
  const numbers = JSON.stringify(Array.from({ length: hours }, (_, n) => n));
  return db.all<FirstOpens>(
    sql`with begun as materialized (
        select id, ${bucketSql(sql`created_at`, "hour")} as hour from broadcasts where id in (${ids}))
      select b.id as "broadcastId", n.value as n, h.opens
      from begun b cross join json_each(${numbers}) n
        cross join open_hours h on h.project_id = ${projectId}
          and h.hour_at = b.hour + n.value * ${HOUR_MS} and h.broadcast_id = b.id`,
  );
}
