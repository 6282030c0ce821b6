import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { ulidFloor } from "../../lib/ids.ts";

/**
 * Selects the number of addresses that were suppressed in a window for another reason than that they
 * unsubscribed, in buckets of `length` milliseconds: the newest `most` for each reason.
 */
export function selectLost(
  db: Database,
  projectId: string,
  { from, to }: { from: number; to: number },
  { length, most }: { length: number; most: number },
) {
  const newest = (["hard_bounce", "manual"] as const).map(
    (reason) => sql`select * from (select id from suppressions indexed by suppressions_by_reason
      where project_id = ${projectId} and reason = ${reason} and id >= ${ulidFloor(from)} and id < ${ulidFloor(to)}
      order by id desc limit ${most})`,
  );
  return db.all<{ at: number; n: number }>(
    sql`select s.created_at - s.created_at % ${sql.raw(String(length))} as at, count(*) as n
      from (${sql.join(newest, sql` union all `)}) page cross join suppressions s on s.id = page.id group by 1`,
  );
}
