import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { ENTRY_COLUMNS, type EntryRow } from "./log-rows.ts";
import { storedId, storedIdSql } from "./stored-form.ts";

/** An entry with all stored data of its first open. */
export interface VisitedEntry extends EntryRow {
  openedIp: string | null;
}

export interface KeptClick {
  logId: string;
  id: string;
  url: string;
  class: string;
  userAgent: string;
  ipAddress: string;
  at: number;
}

/** Selects the project's entries with these ids, newest first. */
export function selectVisitedEntries(db: Database, projectId: string, ids: string[]) {
  return db.all<VisitedEntry>(
    sql`select ${ENTRY_COLUMNS}, l.opened_ip as "openedIp"
      from json_each(${JSON.stringify(ids)}) cross join log_entries l on l.id = ${storedIdSql(sql`value`)}
      where l.project_id = ${storedId(projectId)} order by l.sent_at desc, l.id desc`,
  );
}

const CLICK = sql`k.log_id as "logId", k.id, k.url, k.class, k.user_agent as "userAgent", k.ip_address as "ipAddress",
  k.clicked_at as at`;

/**
 * Selects the first `limit` clicks of each of these mails, whose project the caller has checked.
 */
export function selectFirstClicks(db: Database, logIds: string[], limit: number) {
  return db.all<KeptClick>(
    sql`select ${CLICK}
      from json_each(${JSON.stringify(logIds)}) cross join email_clicks k on k.log_id = value and k.id in (
        select id from email_clicks where log_id = value order by id limit ${limit})
      order by k.log_id, k.id`,
  );
}

/**
 * Selects the next `limit` clicks of a mail after one of them. The caller has checked its project.
 */
export function selectClicksAfter(db: Database, logId: string, afterId: string, limit: number) {
  return db.all<KeptClick>(
    sql`select ${CLICK} from email_clicks k where k.log_id = ${logId} and k.id > ${afterId}
      order by k.id limit ${limit}`,
  );
}
