import { sql, type SQL } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { isSuppressed } from "../suppressions/index.ts";
import { idText, storedId, storedIdSql } from "./stored-form.ts";

/**
 * Returns the statement that counts complaints about mails in their broadcasts, in an array that is
 * empty without complaints. A complaint counts only until its recipient is suppressed, so the
 * statement runs before that. An imported entry may name a broadcast of another project, which is
 * not counted. The statement does nothing if `when` is false.
 */
export function countComplaints(
  db: Database,
  projectId: string,
  logIds: string[],
  when: SQL,
): Statement[] {
  if (logIds.length === 0) return [];
  const ids = JSON.stringify([...new Set(logIds)]);
  const complained = sql`select ${idText(sql`l.broadcast_id`)} as id
    from json_each(${ids}) cross join log_entries l on l.id = ${storedIdSql(sql`value`)}
    where l.project_id = ${storedId(projectId)} and l.broadcast_id is not null and ${when}
      and not ${isSuppressed(projectId, sql`l.to_email`)}`;
  return [
    db.run(
      sql`update broadcasts set complaints = complaints + (
          select count(*) from (${complained}) complained where complained.id = broadcasts.id)
        where +project_id = ${projectId} and id in (select id from (${complained}))`,
    ),
  ];
}
