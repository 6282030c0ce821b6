import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { fromWholeLog, LOG_TABLES, type LogTable } from "./log-tables.ts";
import type { LogStatus } from "./stored-form.ts";
import { madeVisit, type VisitFilter } from "./visits/made-visit.ts";

/** An entry of the log as the search for bounced mails reads it. */
export interface LoggedMail {
  id: string;
  toEmail: string;
  /** Milliseconds. */
  sentAt: number;
  /** 1 if the server accepted the mail. */
  isAccepted: number;
  /** 1 if the mail was opened or clicked. */
  isVisited: number;
}

const isAccepted = (log: LogTable) =>
  sql`status in (${log.status("sent")}, ${log.status("bounced")})`;
const IS_VISITED = sql`coalesce(opened_at, clicked_at) is not null`;

const loggedMail = (log: LogTable) => sql`${log.idText(sql`l.id`)} as id, l.to_email as "toEmail",
  l.sent_at as "sentAt", ${isAccepted(log)} as "isAccepted", ${IS_VISITED} as "isVisited"`;

/** Selects the project's log entries with these ids: one look-up by primary key for each. */
export function selectMailsById(db: Database, projectId: string, ids: string[]) {
  return db.all<LoggedMail>(
    fromWholeLog(
      (log) => sql`select ${loggedMail(log)}
        from json_each(${JSON.stringify(ids)}) cross join ${log.name} l on l.id = ${log.idSql(sql`value`)}
        where l.project_id = ${log.id(projectId)}`,
    ),
  );
}

/** The project, the recipient and the time of a logged mail. */
export interface MailOwner {
  id: string;
  projectId: string;
  toEmail: string;
  /** Milliseconds. */
  sentAt: number;
}

/** Selects the project, the recipient and the time of each of these mails, of any project. */
export function selectMailOwners(db: Database, ids: string[]) {
  return db.all<MailOwner>(
    fromWholeLog(
      (
        log,
      ) => sql`select ${log.idText(sql`l.id`)} as id, ${log.idText(sql`l.project_id`)} as "projectId", l.to_email as "toEmail", l.sent_at as "sentAt"
        from json_each(${JSON.stringify(ids)}) cross join ${log.name} l on l.id = ${log.idSql(sql`value`)}`,
    ),
  );
}

/**
 * Returns the id of the project of a logged mail as an SQL expression. Null if there is no such
 * mail.
 */
export function projectOfMail(logId: string): SQL {
  return sql`(${fromWholeLog(
    (log) =>
      sql`select ${log.idText(sql`l.project_id`)} from ${log.name} l where l.id = ${log.id(logId)}`,
  )})`;
}

/**
 * Returns the condition that the log has a mail of this project to an address, apart from
 * broadcasts.
 */
export function isMailed(projectId: string, email: SQL): SQL {
  return inAnyTable(
    (log) => sql`select 1 from ${log.name} l indexed by ${log.byRecipient}
      where project_id = ${log.id(projectId)} and to_email = ${email} and broadcast_id is null`,
  );
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
 * Selects the outcomes of the project's entries with these ids: one look-up for each. A filter by
 * clicks also reads the first clicks of each clicked mail.
 */
export function selectOutcomes(
  db: Database,
  projectId: string,
  ids: string[],
  filter: VisitFilter,
) {
  const hasVisit = (log: LogTable) =>
    madeVisit(filter, {
      id: log.idText(sql`l.id`),
      openedAt: sql`l.opened_at`,
      openedClass: sql`l.opened_class`,
      clickedAt: sql`l.clicked_at`,
    }) ?? sql`true`;
  return db.all<LoggedOutcome>(
    fromWholeLog(
      (
        log,
      ) => sql`select ${log.idText(sql`l.id`)} as id, l.to_email as "toEmail", ${log.statusText(sql`l.status`)} as status,
          l.error, l.reason, l.sent_at as "sentAt", l.opened_at as "openedAt", l.clicked_at as "clickedAt", ${hasVisit(log)} as "hasVisit"
        from json_each(${JSON.stringify(ids)}) cross join ${log.name} l on l.id = ${log.idSql(sql`value`)}
        where l.project_id = ${log.id(projectId)}`,
    ),
  );
}

/**
 * The number of newest mails to an address among which `selectNewestMails` looks for one that was
 * accepted, in each table.
 */
const NEWEST_MAILS_READ = 10;

/**
 * Selects the newest accepted mail to each address, except those of broadcasts. Without an accepted
 * one among the newest mails, it selects the newest.
 */
export function selectNewestMails(db: Database, projectId: string, emails: string[]) {
  const ofTables = fromWholeLog(
    (log) => sql`select ${loggedMail(log)}
      from json_each(${JSON.stringify(emails)}) address cross join ${log.name} l on l.id = (
        select id from (
          select id, sent_at, status from ${log.name} indexed by ${log.byRecipient}
          where project_id = ${log.id(projectId)} and to_email = address.value and broadcast_id is null
          order by sent_at desc, id desc limit ${NEWEST_MAILS_READ})
        order by ${isAccepted(log)} desc, sent_at desc, id desc limit 1)`,
  );
  return db.all<LoggedMail>(
    sql`select id, "toEmail", "sentAt", "isAccepted", "isVisited" from (
      select *, row_number() over (
        partition by "toEmail" order by "isAccepted" desc, "sentAt" desc) as place
      from (${ofTables})) where place = 1`,
  );
}

/** The number of newest mails to an address that `selectRecentMails` reads from each table. */
const RECENT_MAILS_READ = 50;

/** The mails that a project sent to an address within some time. */
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
  const someMail = (condition: (log: LogTable) => SQL) =>
    inAnyTable(
      (log) => sql`select 1 from (
        select status, opened_at, clicked_at from ${log.name} indexed by ${log.byRecipient}
        where project_id = ${log.id(projectId)} and to_email = e.value and broadcast_id is null and sent_at >= ${since}
        order by sent_at desc limit ${RECENT_MAILS_READ})
      where ${condition(log)}`,
    );
  return db.all<RecentMails>(
    sql`select e.value as email, ${someMail(isAccepted)} as "isMailed", ${someMail(() => IS_VISITED)} as "isVisited"
      from json_each(${JSON.stringify(emails)}) e`,
  );
}

/** Returns a condition: the log of any project has an entry with this id. */
export function isLogged(id: SQL): SQL {
  return inAnyTable((log) => sql`select 1 from ${log.name} l where l.id = ${log.idSql(id)}`);
}

/** Returns the condition that a query has a row in one of the tables of the log. */
const inAnyTable = (query: (log: LogTable) => SQL): SQL =>
  sql`(${sql.join(
    LOG_TABLES.map((log) => sql`exists (${query(log)})`),
    sql` or `,
  )})`;
