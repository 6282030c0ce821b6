import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** An entry of the log as the search for bounced mails reads it. */
export interface LoggedMail {
  id: string;
  toEmail: string;
  /** Milliseconds. */
  sentAt: number;
}

const LOGGED_MAIL = sql.raw(`l.id, l.to_email as "toEmail", l.sent_at as "sentAt"`);

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

/** Returns a condition: the log of any project has an entry with this id. */
export function isLogged(id: SQL): SQL {
  return sql`exists (select 1 from email_logs where email_logs.id = ${id})`;
}
