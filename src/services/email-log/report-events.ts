import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { projectExists } from "../projects/index.ts";
import { isErased, isSuppressed, withHashes } from "../suppressions/index.ts";
import { eventStatement, hasWebhooks } from "../webhooks/index.ts";
import { emailData } from "./email-events.ts";
import { storedId, storedIdSql, storedStatus } from "./stored-form.ts";

/** A bounce with its error and reason, or a complaint. */
export interface ReportNotice {
  email: string;
  /** The mail of the report. Undefined if the report identifies no mail in the log. */
  logId: string | undefined;
  error?: string;
  reason?: string;
}

/**
 * Returns the statements that notify webhooks of new bounces or complaints: those whose address is
 * not suppressed, and bounces whose mail still counts as sent. They must run before either changes.
 * They do nothing if `when` is false.
 */
export function reportEvents(
  deps: Deps,
  projectId: string,
  type: "email.bounced" | "email.complained",
  notices: ReportNotice[],
  when: SQL = sql`true`,
): Statement[] {
  if (notices.length === 0) return [];
  const rows = JSON.stringify(
    distinct(notices).map((notice) =>
      withHashes(deps.config, { eventId: deps.newId(), ...notice }),
    ),
  );
  const email = sql`value ->> 'email'`;
  const isBounce = type === "email.bounced";
  const more = isBounce ? { error: sql`value -> 'error'`, reason: sql`value -> 'reason'` } : {};
  const isStillSent = isBounce ? sql`l.status = ${storedStatus("sent")}` : sql`false`;
  const isWanted = sql`${hasWebhooks(projectId)} and ${projectExists(projectId)} and ${when}`;
  return [
    eventStatement(
      deps,
      sql`select value ->> 'eventId' as id, ${type} as type, ${projectId} as project_id, ${deps.now()} as at,
          ${emailData(email, more)} as data
        from json_each(iif(${isWanted}, ${rows}, '[]'))
        left join log_entries l on l.id = ${storedIdSql(sql`value ->> 'logId'`)} and +l.project_id = ${storedId(projectId)}
        where (${isStillSent} or (value ->> 'isFirst' and not ${isSuppressed(projectId, email)}))
          and not ${isErased(deps.config, projectId)}`,
      projectId,
    ),
  ];
}

/** Returns each address and mail once. After the first notice of an address, it is suppressed. */
function distinct(notices: ReportNotice[]) {
  const seen = new Set<string>();
  const rows = new Map<string, ReportNotice & { isFirst: boolean }>();
  for (const notice of notices) {
    const key = JSON.stringify([notice.email, notice.logId]);
    if (!rows.has(key)) rows.set(key, { ...notice, isFirst: !seen.has(notice.email) });
    seen.add(notice.email);
  }
  return [...rows.values()];
}
