import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { jsonColumns, movedColumns } from "../../../db/moved-columns.ts";
import { LOG_STATUSES, logEntries } from "../../../db/schema/index.ts";
import { idText, statusText, storedId, SUBJECT_OF_L } from "../stored-form.ts";

/** The exported columns of an entry, by name. */
export const MOVED_LOG = movedColumns(logEntries);
export const MOVED_COLUMNS: readonly string[] = Object.keys(MOVED_LOG);
const json = jsonColumns(logEntries);

export type MovedEntry = Record<string, unknown>;

/** A keyset cursor over the log of a project, in the order of its index by status and time. */
export interface LogPlace {
  /** An index into LOG_STATUSES. */
  status: number;
  sentAt: number;
  id: string;
}

export const startOfLog = (): LogPlace => ({ status: 0, sentAt: -1, id: "" });

const STORED: Record<string, SQL> = {
  id: idText(sql`l.id`),
  subscriber_id: idText(sql`l.subscriber_id`),
  template_id: idText(sql`l.template_id`),
  broadcast_id: idText(sql`l.broadcast_id`),
  subject: SUBJECT_OF_L,
  status: statusText(sql`l.status`),
};

const selected = sql.join(
  MOVED_COLUMNS.map((name) => sql`${STORED[name] ?? sql.raw(`l.${name}`)} as ${sql.raw(name)}`),
  sql`, `,
);

/**
 * Reads a page of the log of a project, and the cursor of the next one; undefined at the end. An
 * entry whose status changes concurrently may appear twice.
 */
export async function selectLogPage(
  db: Database,
  projectId: string,
  { status, sentAt, id }: LogPlace,
  limit: number,
): Promise<{ rows: MovedEntry[]; next: LogPlace | undefined }> {
  const rows = await db.all<MovedEntry>(
    sql`select ${selected} from log_entries l indexed by log_entries_by_status
      where l.project_id = ${storedId(projectId)} and l.status = ${status}
        and (l.sent_at, l.id) > (${sentAt}, ${storedId(id)})
      order by l.sent_at, l.id limit ${limit}`,
  );
  for (const row of rows)
    for (const name of json) if (typeof row[name] === "string") row[name] = JSON.parse(row[name]);
  const last = rows.at(-1);
  if (last && rows.length === limit)
    return { rows, next: { status, sentAt: Number(last["sent_at"]), id: String(last["id"]) } };
  const isLast = status + 1 === LOG_STATUSES.length;
  return { rows, next: isLast ? undefined : { ...startOfLog(), status: status + 1 } };
}
