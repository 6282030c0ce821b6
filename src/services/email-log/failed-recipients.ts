import { sql, type SQL } from "drizzle-orm";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { OUTCOME_UNKNOWN } from "./outcome-unknown.ts";
import { VARIANT_TAG } from "./reports/variant-outcomes.ts";
import { idText, storedId, storedIdSql, storedStatus } from "./stored-form.ts";

/** A broadcast whose mails are examined, and its start in milliseconds. */
interface Started {
  id: string;
  createdAt: number;
}

/** The failed mails of a broadcast, or of one and its retries, up to a time. */
export interface FailedMails {
  projectId: string;
  first: Started;
  /** Its retries, each of which mails the failures of the one before it, oldest first. */
  retries: Started[];
  /** Milliseconds, inclusive. */
  to: number;
  includeUnknown: boolean;
}

/**
 * Returns the query of the subscribers whose last mail of these broadcasts failed, as `id`, with
 * the variant that they were assigned in an A/B test. Rows read: the failed mails of the project
 * since the start of the first, and its other mails since the first retry, once per broadcast, from
 * the index by status and time.
 */
export function failedRecipients({
  projectId,
  first,
  retries,
  to,
  includeUnknown,
}: FailedMails): SQL {
  const ids = JSON.stringify([first, ...retries].map(({ id }) => id));
  const isCertain = includeUnknown
    ? sql`true`
    : sql`substr(coalesce(l.error, ''), 1, ${OUTCOME_UNKNOWN.length}) <> ${OUTCOME_UNKNOWN}`;
  const mails = (isWanted: SQL, status: SQL, from: number) =>
    sql`select ${idText(sql`l.subscriber_id`)} as id, l.tags ->> ${`$.${VARIANT_TAG}`} as variant,
        ${isWanted} as is_wanted, asked.key as place
      from json_each(${ids}) asked cross join log_entries l indexed by log_entries_by_status
      where l.broadcast_id = ${storedIdSql(sql`asked.value`)} and l.project_id = ${storedId(projectId)} and l.status ${status}
        and l.sent_at >= ${from} and l.sent_at <= ${to} and l.subscriber_id is not null`;
  const failed = mails(isCertain, sql`= ${storedStatus("failed")}`, first.createdAt);
  const [again] = retries;
  const others = again ? sql` union all ${mails(sql`false`, NOT_FAILED, again.createdAt)}` : sql``;
  // With a single max(), SQLite takes the bare columns from the row with the maximum: the newest
  // mail.
  return sql`select id, variant from (
      select id, variant, is_wanted, max(place) from (${failed}${others}) group by id)
    where is_wanted`;
}

const NOT_FAILED = sql`in (${sql.join(
  LOG_STATUSES.filter((status) => status !== "failed").map(storedStatus),
  sql`, `,
)})`;
