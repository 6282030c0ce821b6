import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { storedId } from "./stored-form.ts";

/**
 * Returns the statement that stores the subject of a broadcast once for all of its mails, if `when`
 * is true. Their entries then have no subject of their own.
 */
export function shareSubject(
  db: Database,
  broadcast: { id: string; projectId: string; subject: string },
  when: SQL = sql`true`,
) {
  const { id, projectId, subject } = broadcast;
  return db.run(
    sql`insert into log_subjects (project_id, broadcast_id, subject)
      select ${storedId(projectId)}, ${storedId(id)}, ${subject} where ${when}`,
  );
}
