import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { moveOf } from "./change-many.ts";
import { MOST_CHANGED } from "./choose-subscribers.ts";

const PROOF = { by: "provider", ipAddress: "", userAgent: "", formText: "" } as const;

/**
 * Returns the statements that unsubscribe the subscribers with these addresses, who opted out at the
 * mail provider. They do nothing if `when` is false.
 */
export function leaveAtProvider(
  deps: Deps,
  projectId: string,
  emails: string[],
  when: SQL,
): Statement[] {
  const distinct = [...new Set(emails)];
  const statements: Statement[] = [];
  for (let at = 0; at < distinct.length; at += MOST_CHANGED) {
    const some = JSON.stringify(distinct.slice(at, at + MOST_CHANGED));
    const ids = sql`select s.id from json_each(${some})
      cross join subscribers s on s.project_id = ${projectId} and s.email = value
      where s.status <> 'unsubscribed' and ${when}`;
    const consent = { action: "unsubscribed", proof: PROOF } as const;
    const [before, write] = moveOf(deps, projectId, ids, "unsubscribed", consent);
    statements.push(...before, write);
  }
  return statements;
}
