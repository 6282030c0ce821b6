import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { storedId } from "./stored-form.ts";

/**
 * Returns the statement that stores the subject of a broadcast for the mails that will have it.
 * Their entries then have none of their own.
 */
export function shareSubject(
  db: Database,
  broadcast: { id: string; projectId: string; subject: string },
) {
  const { id, projectId, subject } = broadcast;
  return db.run(
    sql`insert into log_subjects (project_id, broadcast_id, subject)
      values (${storedId(projectId)}, ${storedId(id)}, ${subject})`,
  );
}
