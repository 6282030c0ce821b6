import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { statusText, storedId, storedStatus } from "../stored-form.ts";
import type { Span } from "./window.ts";

/** The number of mails with one reason and status. `reason` is null if no reply gave one. */
export interface RefusalCount {
  reason: string | null;
  status: "failed" | "bounced";
  n: number;
}

/**
 * Selects the number of rejected mails of a span by reason and status, of one broadcast if given.
 * Reads up to `perStatus` failed mails, and as many bounced mails, of the project in the span: the
 * newest ones, or the oldest for a broadcast, which begins with the span.
 */
export function selectRefusals(
  db: Database,
  projectId: string,
  { from, to }: Span,
  perStatus: number,
  broadcastId?: string,
) {
  const order = sql.raw(broadcastId === undefined ? "desc" : "asc");
  const isOne =
    broadcastId === undefined ? sql`true` : sql`broadcast_id = ${storedId(broadcastId)}`;
  const some = (status: RefusalCount["status"]) => sql`select * from (
    select reason, status, broadcast_id from log_entries indexed by log_entries_by_status
    where project_id = ${storedId(projectId)} and status = ${storedStatus(status)}
      and sent_at >= ${from} and sent_at < ${to} and test is null
    order by sent_at ${order} limit ${perStatus})`;
  return db.all<RefusalCount>(
    sql`select reason, ${statusText(sql`status`)} as status, count(*) as n
      from (${some("failed")} union all ${some("bounced")}) where ${isOne} group by reason, status`,
  );
}
