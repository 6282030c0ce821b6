import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { statusText, storedId, storedStatus } from "../stored-form.ts";

/** The number of mails with one reason and status. `reason` is null if no reply gave one. */
export interface RefusalCount {
  reason: string | null;
  status: "failed" | "bounced";
  n: number;
}

/**
 * Selects the number of rejected mails of a span by reason and status. Reads the newest `perStatus`
 * failed mails, and as many bounced mails, of the span.
 */
export function selectRefusals(
  db: Database,
  projectId: string,
  { from, to }: { from: number; to: number },
  perStatus: number,
) {
  const newest = (status: RefusalCount["status"]) => sql`select * from (
    select reason, status from log_entries indexed by log_entries_by_status
    where project_id = ${storedId(projectId)} and status = ${storedStatus(status)}
      and sent_at >= ${from} and sent_at < ${to}
    order by sent_at desc limit ${perStatus})`;
  return db.all<RefusalCount>(
    sql`select reason, ${statusText(sql`status`)} as status, count(*) as n
      from (${newest("failed")} union all ${newest("bounced")}) group by reason, status`,
  );
}
