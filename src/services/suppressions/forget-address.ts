import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { SUPPRESSION_REASONS } from "../../db/schema/index.ts";
import { COUNTER_OF_REASON } from "./queries.ts";
import { deleteSoftBounces } from "./soft-bounces.ts";

/**
 * Returns the statements that remove an address from all lists of suppressed and bouncing
 * addresses, and update the counters.
 */
export function forgetAddress(db: Database, projectId: string, email: string) {
  const moved = SUPPRESSION_REASONS.map((reason) => {
    const counter = COUNTER_OF_REASON[reason];
    return sql`${counter} = ${counter} - (was.reason = ${reason})`;
  });
  const isIt = sql`project_id = ${projectId} and email = ${email}`;
  return [
    db.run(
      sql`update project_counters set ${sql.join(moved, sql`, `)} from (
          select reason from suppressions where ${isIt}) was
        where project_id = ${projectId}`,
    ),
    db.run(sql`delete from suppressions where ${isIt}`),
    deleteSoftBounces(db, projectId, email),
    db.run(sql`delete from unverified_bounces where ${isIt}`),
  ];
}
