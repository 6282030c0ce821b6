import { sql } from "drizzle-orm";
import { projectExists } from "../projects/index.ts";
import type { Deps } from "../../deps.ts";
import { runBatchAfter, type Statement } from "../../db/client.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { emailData, markBounced } from "../email-log/index.ts";
import { hardBounce, suppressStatements, type NewSuppression } from "../suppressions/index.ts";
import { eventStatement, hasWebhooks } from "../webhooks/index.ts";

/** The changes that a report makes to the project. */
export interface Consequence {
  suppression: NewSuppression;
  /**
   * The returned mail of a hard bounce, if it was found, and a line for the log. A complaint has
   * none.
   */
  returned?: { logId: string | undefined; error: string };
}

/** An address that a report declares invalid, or whose owner complained. */
export interface Finding {
  kind: "bounce" | "complaint";
  email: EmailAddress;
  /** The text from the server or provider; "" if there is none. */
  words: string;
  logId: string | undefined;
}

/** Returns the consequence of a finding. A complaint is no bounce, since its mail arrived. */
export function consequenceOf(
  origin: "imap" | "ingest",
  { kind, email, words, logId }: Finding,
): Consequence {
  if (kind === "complaint")
    return { suppression: { email, reason: "manual", source: "complaint" } };
  return {
    suppression: hardBounce(email, origin, words),
    returned: { logId, error: words || "bounced" },
  };
}

/**
 * Records the consequences in one atomic batch. A repeated report changes nothing and notifies no
 * webhook. Returns the number of addresses that were new on the list.
 */
export async function recordBounces(
  deps: Deps,
  projectId: string,
  consequences: Consequence[],
): Promise<number> {
  const suppressions = consequences.map(({ suppression }) => suppression);
  const returned = consequences.flatMap(({ returned: mail }) =>
    mail?.logId === undefined ? [] : [{ logId: mail.logId, error: mail.error }],
  );
  const added = suppressStatements(deps, projectId, suppressions);
  const emitted = bounceEvents(deps, projectId, consequences);
  const before = [
    // First, because it reads which addresses and mails are not yet suppressed or marked.
    ...emitted,
    ...markBounced(deps.db, projectId, returned),
  ];
  const [, inserted] = await runBatchAfter(deps.db, before, added);
  return inserted?.meta.changes ?? 0;
}

/**
 * Returns the events of hard bounces that are news: the address was not on the list, or its mail
 * still counted as sent. After the first of several reports, the address is on the list.
 */
function bounceEvents(deps: Deps, projectId: string, consequences: Consequence[]): Statement[] {
  const seen = new Set<string>();
  const told = new Map<string, object>();
  for (const { suppression, returned } of consequences) {
    const { email } = suppression;
    const isFirst = !seen.has(email);
    seen.add(email);
    const key = JSON.stringify([email, returned?.logId]);
    if (!returned || told.has(key)) continue;
    told.set(key, { eventId: deps.newId(), email, isFirst, ...returned });
  }
  if (told.size === 0) return [];
  const mails = JSON.stringify([...told.values()]);
  return [
    eventStatement(
      deps,
      sql`select value ->> 'eventId' as id, 'email.bounced' as type, ${projectId} as project_id, ${deps.now()} as at,
          ${emailData(sql`value ->> 'email'`, { error: sql`value -> 'error'` })} as data
        from json_each(iif(${hasWebhooks(projectId)} and ${projectExists(projectId)}, ${mails}, '[]'))
        left join email_logs l on l.id = value ->> 'logId' and +l.project_id = ${projectId}
        where l.status = 'sent' or (value ->> 'isFirst' and not exists (
          select 1 from suppressions where project_id = ${projectId} and email = value ->> 'email'))`,
    ),
  ];
}
