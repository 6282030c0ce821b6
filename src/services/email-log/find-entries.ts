import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import {
  idText,
  statusText,
  storedId,
  storedIdSql,
  storedStatus,
  type LogStatus,
} from "./stored-form.ts";
import { madeVisit, type VisitFilter } from "./visits/made-visit.ts";

/** An entry of the log, as read by the search for bounced mails. */
export interface LoggedMail {
  id: string;
  projectId: string;
  toEmail: string;
  /** Milliseconds. */
  sentAt: number;
  /** 1 if the server accepted the mail. */
  isAccepted: number;
  /** 1 if the mail was opened or clicked. */
  isVisited: number;
}

const IS_ACCEPTED = sql`status in (${storedStatus("sent")}, ${storedStatus("bounced")})`;
const IS_VISITED = sql`coalesce(opened_at, clicked_at) is not null`;

const LOGGED_MAIL = sql`${idText(sql`l.id`)} as id, ${idText(sql`l.project_id`)} as "projectId",
  l.to_email as "toEmail", l.sent_at as "sentAt", ${IS_ACCEPTED} as "isAccepted", ${IS_VISITED} as "isVisited"`;

const withIds = (ids: string[]): SQL =>
  sql`json_each(${JSON.stringify(ids)}) cross join log_entries l on l.id = ${storedIdSql(sql`value`)}`;

/**
 * Selects the log entries with these ids, in any project: one primary-key lookup each. A mail that
 * no server got cannot bounce.
 */
export function selectMailsById(db: Database, ids: string[]) {
  return db.all<LoggedMail>(sql`select ${LOGGED_MAIL} from ${withIds(ids)} where l.test is null`);
}

/** Returns an SQL expression for the project id of a logged mail; null if there is no such mail. */
export function projectOfMail(logId: string): SQL {
  return sql`(select ${idText(sql`l.project_id`)} from log_entries l where l.id = ${storedId(logId)})`;
}

/** The outcome of a logged mail. Times are in milliseconds. */
export interface LoggedOutcome {
  id: string;
  toEmail: string;
  status: LogStatus;
  error: string | null;
  reason: string | null;
  sentAt: number;
  openedAt: number | null;
  clickedAt: number | null;
  /** 1 if the mail has the visits that the query asks for. */
  hasVisit: number;
}

/**
 * Selects the outcomes of the project's entries with these ids: one lookup each. A filter by clicks
 * also reads the first clicks of each clicked mail.
 */
export function selectOutcomes(
  db: Database,
  projectId: string,
  ids: string[],
  filter: VisitFilter,
) {
  return db.all<LoggedOutcome>(
    sql`select ${idText(sql`l.id`)} as id, l.to_email as "toEmail", ${statusText(sql`l.status`)} as status,
        l.error, l.reason, l.sent_at as "sentAt", l.opened_at as "openedAt", l.clicked_at as "clickedAt",
        ${madeVisit(filter) ?? sql`true`} as "hasVisit"
      from ${withIds(ids)} where l.project_id = ${storedId(projectId)}`,
  );
}

/**
 * The number of newest mails to an address that `selectNewestMails` searches for an accepted one.
 */
const NEWEST_MAILS_READ = 10;

/**
 * Selects the newest accepted mail to each address, except those of broadcasts. If none of the
 * newest mails was accepted, selects the newest. The addresses must be distinct.
 */
export function selectNewestMails(db: Database, projectId: string, emails: string[]) {
  return db.all<LoggedMail>(
    sql`select ${LOGGED_MAIL}
      from json_each(${JSON.stringify(emails)}) address cross join log_entries l on l.id = (
        select id from (
          select id, sent_at, status from log_entries indexed by log_entries_by_recipient
          where project_id = ${storedId(projectId)} and to_email = address.value and broadcast_id is null
            and test is null
          order by sent_at desc, id desc limit ${NEWEST_MAILS_READ})
        order by ${IS_ACCEPTED} desc, sent_at desc, id desc limit 1)`,
  );
}

/** The number of newest mails to an address that `selectRecentMails` reads. */
const RECENT_MAILS_READ = 50;

/** Whether a project has recently mailed an address, and with what effect. */
export interface RecentMails {
  email: string;
  /** 1 if the server accepted one of them. */
  isMailed: number;
  /** 1 if one of them was opened or clicked. */
  isVisited: number;
}

/** Selects the mails to each address since a time, except those of broadcasts. */
export function selectRecentMails(
  db: Database,
  projectId: string,
  emails: string[],
  since: number,
) {
  const someMail = (condition: SQL) =>
    sql`exists (select 1 from (
        select status, opened_at, clicked_at from log_entries indexed by log_entries_by_recipient
        where project_id = ${storedId(projectId)} and to_email = e.value and broadcast_id is null and sent_at >= ${since}
          and test is null
        order by sent_at desc limit ${RECENT_MAILS_READ})
      where ${condition})`;
  return db.all<RecentMails>(
    sql`select e.value as email, ${someMail(IS_ACCEPTED)} as "isMailed", ${someMail(IS_VISITED)} as "isVisited"
      from json_each(${JSON.stringify(emails)}) e`,
  );
}

/** Returns a condition: the log of any project has an entry with this id. */
export function isLogged(id: SQL): SQL {
  return sql`exists (select 1 from log_entries l where l.id = ${storedIdSql(id)})`;
}
