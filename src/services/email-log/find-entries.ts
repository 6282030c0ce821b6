import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

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

const ACCEPTED = "status in ('sent', 'bounced')";
const VISITED = "coalesce(opened_at, clicked_at) is not null";

const LOGGED_MAIL = sql.raw(
  `l.id, l.to_email as "toEmail", l.sent_at as "sentAt", ${ACCEPTED} as "isAccepted", ${VISITED} as "isVisited"`,
);

/** Selects the project's log entries with these ids: one look-up each by primary key. */
export function selectMailsById(db: Database, projectId: string, ids: string[]) {
  return db.all<LoggedMail>(
    sql`select ${LOGGED_MAIL} from json_each(${JSON.stringify(ids)}) cross join email_logs l on l.id = value
      where l.project_id = ${projectId}`,
  );
}

/** Selects the newest log entry of each address, except those of broadcasts. */
export function selectNewestMails(db: Database, projectId: string, emails: string[]) {
  return db.all<LoggedMail>(
    sql`with newest as (
        select (select id from email_logs indexed by email_logs_by_recipient
          where project_id = ${projectId} and to_email = value and broadcast_id is null
          order by sent_at desc, id desc limit 1) as id
        from json_each(${JSON.stringify(emails)}))
      select ${LOGGED_MAIL} from newest cross join email_logs l on l.id = newest.id`,
  );
}

/** The newest mails to an address that are read for `selectRecentMails`. */
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
  const someMail = (condition: string) => sql`exists (
    select 1 from (
      select status, opened_at, clicked_at from email_logs indexed by email_logs_by_recipient
      where project_id = ${projectId} and to_email = e.value and broadcast_id is null and sent_at >= ${since}
      order by sent_at desc limit ${RECENT_MAILS_READ})
    where ${sql.raw(condition)})`;
  return db.all<RecentMails>(
    sql`select e.value as email, ${someMail(ACCEPTED)} as "isMailed", ${someMail(VISITED)} as "isVisited"
      from json_each(${JSON.stringify(emails)}) e`,
  );
}

/** Returns a condition: the log of any project has an entry with this id. */
export function isLogged(id: SQL): SQL {
  return sql`exists (select 1 from email_logs where email_logs.id = ${id})`;
}
