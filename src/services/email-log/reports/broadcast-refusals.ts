import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { statusText, storedId, storedStatus } from "../stored-form.ts";
import type { RefusalCount } from "./refusals.ts";

/**
 * Selects the number of rejected mails of a broadcast by reason and status. Reads the oldest
 * `perStatus` failed mails, and as many bounced mails, of the project since `from`.
 */
export function selectBroadcastRefusals(
  db: Database,
  { projectId, broadcastId, from }: { projectId: string; broadcastId: string; from: number },
  perStatus: number,
) {
  const oldest = (status: RefusalCount["status"]) => sql`select * from (
    select reason, status, broadcast_id from log_entries indexed by log_entries_by_status
    where project_id = ${storedId(projectId)} and status = ${storedStatus(status)} and sent_at >= ${from}
    order by sent_at limit ${perStatus})`;
  return db.all<RefusalCount>(
    sql`select reason, ${statusText(sql`status`)} as status, count(*) as n
      from (${oldest("failed")} union all ${oldest("bounced")})
      where broadcast_id = ${storedId(broadcastId)} group by reason, status`,
  );
}
