import { sql, type SQL } from "drizzle-orm";
import {
  idText,
  statusText,
  storedId,
  storedIdSql,
  storedStatus,
  SUBJECT_OF_L,
  type LogStatus,
} from "./stored-form.ts";

/** A table of entries, as a query names it. Its row is `l`. */
export interface LogTable {
  name: SQL;
  byStatus: SQL;
  byRecipient: SQL;
  byOpen: SQL;
  /** The stored form of an id, and of one in SQL. */
  id: (id: string) => SQL;
  idSql: (id: SQL) => SQL;
  /** The text of a stored id. */
  idText: (id: SQL) => SQL;
  status: (status: LogStatus) => SQL;
  statusText: (status: SQL) => SQL;
  /** The subject of `l`. */
  subject: SQL;
  /**
   * The queue id of `l`, 1 if the fallback server gave the outcome, and the earlier attempts as
   * JSON.
   */
  queueId: SQL;
  viaFallback: SQL;
  earlier: SQL;
}

export const ENTRIES: LogTable = {
  name: sql`log_entries`,
  byStatus: sql`log_entries_by_status`,
  byRecipient: sql`log_entries_by_recipient`,
  byOpen: sql`log_entries_by_open`,
  id: storedId,
  idSql: storedIdSql,
  idText,
  status: storedStatus,
  statusText,
  subject: SUBJECT_OF_L,
  queueId: sql`l.queue_id`,
  viaFallback: sql`l.via_fallback`,
  earlier: sql`l.earlier`,
};

const same = (value: SQL) => value;

const OLD_LOG: LogTable = {
  name: sql`email_logs`,
  byStatus: sql`email_logs_by_status`,
  byRecipient: sql`email_logs_by_recipient`,
  byOpen: sql`email_logs_by_open`,
  id: (id) => sql`${id}`,
  idSql: same,
  idText: same,
  status: (status) => sql.raw(`'${status}'`),
  statusText: same,
  subject: sql`l.subject`,
  queueId: sql`null`,
  viaFallback: sql`null`,
  earlier: sql`null`,
};

/** The log. It is in two tables until move-old-log.ts has moved all of the old one. */
export const LOG_TABLES: readonly LogTable[] = [ENTRIES, OLD_LOG];

/**
 * Returns the rows of a query on both tables. An entry is in exactly one of them at any time, and
 * the query of an empty table reads no row.
 */
export const fromWholeLog = (query: (log: LogTable) => SQL): SQL =>
  sql.join(LOG_TABLES.map(query), sql` union all `);
