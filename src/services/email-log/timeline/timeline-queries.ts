import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { ENTRY_COLUMNS, type EntryRow } from "../log-rows.ts";
import { storedId } from "../stored-form.ts";

/** A recorded click of a mail. */
export interface ClickRow {
  url: string;
  class: string;
  userAgent: string;
  /** Milliseconds. */
  at: number;
}

const CLICKS_MAX = 100;

/** Selects the project's entry with this id: one primary-key lookup. */
export function selectEntry(db: Database, projectId: string, id: string) {
  return db.all<EntryRow>(
    sql`select ${ENTRY_COLUMNS} from log_entries l
      where l.id = ${storedId(id)} and l.project_id = ${storedId(projectId)}`,
  );
}

/** Selects the first clicks of a mail, oldest first. The caller has checked the mail's project. */
export function selectClicks(db: Database, logId: string) {
  return db.all<ClickRow>(
    sql`select url, class, user_agent as "userAgent", clicked_at as at from email_clicks
      where log_id = ${logId} order by id limit ${CLICKS_MAX}`,
  );
}
