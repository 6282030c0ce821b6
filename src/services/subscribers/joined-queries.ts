import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { uuidFloor } from "../../lib/ids.ts";

/** The people who joined within a bucket. */
export interface Joined {
  at: number;
  n: number;
}

/**
 * Selects the number of subscribers who joined in a window, in buckets of `length` milliseconds,
 * whether they have left since or not. Ids follow time, so it reads the newest `most` of the window
 * through the index by status.
 */
export function selectJoined(
  db: Database,
  projectId: string,
  { from, to }: { from: number; to: number },
  { length, most }: { length: number; most: number },
) {
  const newest = (["active", "unsubscribed"] as const).map(
    (status) => sql`select * from (select id from subscribers indexed by subscribers_by_status
      where project_id = ${projectId} and status = ${status} and id >= ${uuidFloor(from)} and id < ${uuidFloor(to)}
      order by id desc limit ${most})`,
  );
  return db.all<Joined>(
    sql`select s.created_at - s.created_at % ${sql.raw(String(length))} as at, count(*) as n
      from (select id from (${sql.join(newest, sql` union all `)}) order by id desc limit ${most}) page
        cross join subscribers s on s.id = page.id group by 1`,
  );
}
