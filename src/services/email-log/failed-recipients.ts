import { sql, type SQL } from "drizzle-orm";
import { fromWholeLog } from "./log-tables.ts";
import { OUTCOME_UNKNOWN } from "./outcome-unknown.ts";
import { VARIANT_TAG } from "./reports/trial-outcomes.ts";

/** The failed mails of a broadcast, which were sent within a span of time. */
export interface FailedMails {
  projectId: string;
  broadcastId: string;
  /** Milliseconds, inclusive. */
  from: number;
  to: number;
  includeUnknown: boolean;
}

/**
 * Returns the query of the subscribers whose mail of a broadcast failed, as `id`, with the letter
 * of the variant that they tried in a trial. Rows read: the failed mails of the project in this
 * span, from the index by status and time.
 */
export function failedRecipients({
  projectId,
  broadcastId,
  from,
  to,
  includeUnknown,
}: FailedMails): SQL {
  const isCertain = includeUnknown
    ? sql``
    : sql` and substr(coalesce(l.error, ''), 1, ${OUTCOME_UNKNOWN.length}) <> ${OUTCOME_UNKNOWN}`;
  return fromWholeLog(
    (log) => sql`select ${log.idText(sql`l.subscriber_id`)} as id,
        l.tags ->> ${`$.${VARIANT_TAG}`} as variant
      from ${log.name} l indexed by ${log.byStatus}
      where l.project_id = ${log.id(projectId)} and l.status = ${log.status("failed")}
        and l.sent_at >= ${from} and l.sent_at <= ${to} and l.broadcast_id = ${log.id(broadcastId)}
        and l.subscriber_id is not null${isCertain}`,
  );
}
