import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { DAY_MS } from "../../lib/durations.ts";

/** The daily counts of a project (UTC), each the prefix of three columns of `project_counters`. */
type DailyCount = "unproven" | "joins";

/** A claim on a daily limit: its statement, and the condition for later statements of the batch. */
export type DailyClaim = ReturnType<typeof claimToday>;

const today = ({ now }: Pick<Deps, "now">) => Math.floor(now() / DAY_MS);

/** Returns today's count as an SQL expression on a row of `project_counters`. */
export function countToday(deps: Pick<Deps, "now">, name: DailyCount): SQL {
  return sql`iif(${sql.raw(`${name}_day`)} = ${today(deps)}, ${sql.raw(`${name}_count`)}, 0)`;
}

/**
 * Claims `count` of today's `limit` if `when` holds. The claim is all or nothing, so two batches
 * that read the same count cannot exceed the limit together.
 */
export function claimToday(
  deps: Pick<Deps, "db" | "newId" | "now">,
  projectId: string,
  name: DailyCount,
  { count, limit, when = sql`true` }: { count: number; limit: SQL; when?: SQL },
) {
  const { db, newId } = deps;
  const claim = newId();
  const [day, total, last] = ["day", "count", "claim"].map((end) => sql.raw(`${name}_${end}`));
  const after = sql`${countToday(deps, name)} + ${count}`;
  return {
    statement: db.run(
      sql`update project_counters set ${total} = ${after}, ${day} = ${today(deps)}, ${last} = ${claim}
        where project_id = ${projectId} and ${after} <= ${limit} and ${when}`,
    ),
    isClaimed: sql`exists (select 1 from project_counters where project_id = ${projectId} and ${last} = ${claim})`,
  };
}
