import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { projectExists } from "../projects/index.ts";
import { isErased, isSuppressed, withHashes } from "../suppressions/index.ts";
import { eventStatement, hasWebhooks } from "../webhooks/index.ts";
import { emailData } from "./email-events.ts";
import { storedId, storedIdSql, storedStatus } from "./stored-form.ts";

export interface BounceNotice {
  email: string;
  /** The bounced mail. Undefined if the report identifies no mail in the log. */
  logId: string | undefined;
  error: string;
  reason: string;
  /** True for the first notice of its address in a batch. */
  isFirst: boolean;
}

/**
 * Returns the statements that notify webhooks of new bounces: those whose mail still counts as
 * sent, or whose address is not suppressed. They must run before either changes. They do nothing if
 * `when` is false.
 */
export function bouncedEvents(
  deps: Deps,
  projectId: string,
  bounces: BounceNotice[],
  when: SQL = sql`true`,
): Statement[] {
  if (bounces.length === 0) return [];
  const rows = JSON.stringify(
    bounces.map((bounce) => withHashes(deps.config, { eventId: deps.newId(), ...bounce })),
  );
  const email = sql`value ->> 'email'`;
  return [
    eventStatement(
      deps,
      sql`select value ->> 'eventId' as id, 'email.bounced' as type, ${projectId} as project_id, ${deps.now()} as at,
          ${emailData(email, { error: sql`value -> 'error'`, reason: sql`value -> 'reason'` })} as data
        from json_each(iif(${hasWebhooks(projectId)} and ${projectExists(projectId)} and ${when}, ${rows}, '[]'))
        left join log_entries l on l.id = ${storedIdSql(sql`value ->> 'logId'`)} and +l.project_id = ${storedId(projectId)}
        where (l.status = ${storedStatus("sent")} or (value ->> 'isFirst' and not ${isSuppressed(projectId, email)}))
          and not ${isErased(deps.config, projectId)}`,
      projectId,
    ),
  ];
}

export interface ComplaintNotice {
  email: string;
  /** The mail of the complaint. Undefined if the report identifies no mail in the log. */
  logId: string | undefined;
}

/**
 * Returns the statements that notify webhooks of new complaints: those whose address is not
 * suppressed. They must run before that changes. Of several complaints about one address, the first
 * counts. They do nothing if `when` is false.
 */
export function complainedEvents(
  deps: Deps,
  projectId: string,
  complaints: ComplaintNotice[],
  when: SQL = sql`true`,
): Statement[] {
  const first = new Map<string, ComplaintNotice>();
  for (const one of complaints) if (!first.has(one.email)) first.set(one.email, one);
  if (first.size === 0) return [];
  const notices = [...first.values()].map((one) =>
    withHashes(deps.config, { eventId: deps.newId(), ...one }),
  );
  const email = sql`value ->> 'email'`;
  const isWanted = sql`${hasWebhooks(projectId)} and ${projectExists(projectId)} and ${when}`;
  return [
    eventStatement(
      deps,
      sql`select value ->> 'eventId' as id, 'email.complained' as type, ${projectId} as project_id,
          ${deps.now()} as at, ${emailData(email)} as data
        from json_each(iif(${isWanted}, ${JSON.stringify(notices)}, '[]'))
        left join log_entries l on l.id = ${storedIdSql(sql`value ->> 'logId'`)} and +l.project_id = ${storedId(projectId)}
        where not ${isSuppressed(projectId, email)} and not ${isErased(deps.config, projectId)}`,
      projectId,
    ),
  ];
}
