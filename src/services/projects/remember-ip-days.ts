import { sql, type SQL } from "drizzle-orm";
import type { Statement } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";

/**
 * The scope in `ip_retention` that stores the longest IP retention of any project: its place is
 * days.
 */
export const LONGEST_IP_DAYS = "clicks:longest";

/**
 * Returns the statement that stores a project's previous IP retention if it becomes shorter and
 * `when` holds. It runs before the change. Some clicks still have an address from the longer
 * period, and the scan that removes them (email-log/visits/empty-addresses.ts) may be long over or
 * yet to come.
 */
export function rememberIpDays(
  { db, now }: Deps,
  { before, after }: { before: SQL; after: number },
  when: SQL,
): Statement {
  const at = now();
  return db.run(
    sql`insert into ip_retention (scope, until, place)
      select ${LONGEST_IP_DAYS}, ${at}, cast(${before} as text) where ${when} and ${before} > ${after}
      on conflict do update set until = excluded.until,
        place = cast(max(cast(place as integer), cast(excluded.place as integer)) as text)`,
  );
}
