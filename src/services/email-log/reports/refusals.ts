import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { fromWholeLog, type LogTable } from "../log-tables.ts";

/** The mails of one reason and status. `reason` is null if no reply gave one. */
export interface RefusalCount {
  reason: string | null;
  status: "failed" | "bounced";
  n: number;
}

/**
 * Selects the number of refused mails of a span by reason and status. It reads the newest
 * `perStatus` failed mails, and as many bounced mails, of the span from each table of the log.
 */
export function selectRefusals(
  db: Database,
  projectId: string,
  { from, to }: { from: number; to: number },
  perStatus: number,
) {
  const newest = (log: LogTable, status: RefusalCount["status"]) => sql`select * from (
    select reason, ${log.statusText(sql`status`)} as status from ${log.name} indexed by ${log.byStatus}
    where project_id = ${log.id(projectId)} and status = ${log.status(status)}
      and sent_at >= ${from} and sent_at < ${to}
    order by sent_at desc limit ${perStatus})`;
  const newestOfBoth = fromWholeLog(
    (log) => sql`${newest(log, "failed")} union all ${newest(log, "bounced")}`,
  );
  return db.all<RefusalCount>(
    sql`select reason, status, count(*) as n from (${newestOfBoth}) group by reason, status`,
  );
}
