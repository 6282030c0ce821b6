import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { ENTRY_COLUMNS, type EntryRow } from "../log-rows.ts";
import { storedId } from "../stored-form.ts";

/** Selects the project's entry with this id: one primary-key lookup. */
export function selectEntry(db: Database, projectId: string, id: string) {
  return db.all<EntryRow>(
    sql`select ${ENTRY_COLUMNS} from log_entries l
      where l.id = ${storedId(id)} and l.project_id = ${storedId(projectId)}`,
  );
}
