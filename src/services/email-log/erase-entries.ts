import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { LOG_STATUSES } from "../../db/schema/index.ts";
import { idText, storedId, storedIdSql } from "./stored-form.ts";

/** A data subject whose data is erased from the log. */
export interface Subject {
  email: string;
  subscriberIds: string[];
}

/** A keyset cursor over the entries of one status, in the order of their time. */
export interface ScanPlace {
  /** An index into LOG_STATUSES. */
  status: number;
  sentAt: number;
  /** The stored id in hexadecimal. "" sorts before all ids. */
  id: string;
}

/**
 * The number of statuses. A scan goes through them in order, because a mail only moves to a later
 * one.
 */
export const SCANNED_STATUSES = LOG_STATUSES.length;

/** An entry of the subject, or one that contains the subject among its copies. */
interface Trace {
  id: string;
  /** 1 if the mail was sent to the subject. */
  own: number;
}

/** Returns a condition on `l`: the subject is among the recipients of copies of the mail. */
const hasCopy = (email: string): SQL =>
  sql`exists (select 1 from json_each(l.copies) where value ->> 'email' = ${email})`;

const idsIn = (ids: string[]) => sql`(select value from json_each(${JSON.stringify(ids)}))`;

/** Selects the newest mails to the address, except those of broadcasts, through an index. */
export function selectDirectMails(db: Database, projectId: string, email: string, limit: number) {
  return db.all<Trace>(
    sql`select ${idText(sql`id`)} as id, 1 as own from log_entries indexed by log_entries_by_recipient
      where project_id = ${storedId(projectId)} and to_email = ${email} and broadcast_id is null
      order by sent_at desc limit ${limit}`,
  );
}

/**
 * Selects the traces of a subject among the next `limit` entries of one status after a cursor. Also
 * selects the last of these entries if there are that many.
 */
export function scanForSubject(
  db: Database,
  projectId: string,
  { email, subscriberIds }: Subject,
  { status, sentAt, id }: ScanPlace,
  limit: number,
) {
  const page = sql`select id, sent_at from log_entries indexed by log_entries_by_status
    where project_id = ${storedId(projectId)} and status = ${status}
      and (sent_at, id) > (${sentAt}, unhex(${id})) order by sent_at, id`;
  const stored = sql`(select ${storedIdSql(sql`value`)} from json_each(${JSON.stringify(subscriberIds)}))`;
  const isOwn = sql`(l.to_email = ${email} or (l.subscriber_id in ${stored} and l.to_email <> ''))`;
  return [
    db.all<Trace>(
      sql`select ${idText(sql`l.id`)} as id, ${isOwn} is true as own
        from (${page} limit ${limit}) page cross join log_entries l on l.id = page.id
        where ${isOwn} or (l.copies is not null and ${hasCopy(email)})`,
    ),
    db.all<Omit<ScanPlace, "status">>(
      sql`select sent_at as "sentAt", hex(id) as id from (${page} limit 1 offset ${limit - 1})`,
    ),
  ] as const;
}

/**
 * Returns the statements that erase all of a person's data from mails to that person: address,
 * subscriber, subject, server replies, tags, copies and visitors. Status, times, template and
 * broadcast stay, so all counts stay correct. From mails to others, the statements remove the
 * address among the copies.
 */
export function eraseEntries(db: Database, projectId: string, email: string, traces: Trace[]) {
  const own = traces.filter((trace) => trace.own === 1).map(({ id }) => id);
  const copied = traces.filter((trace) => trace.own === 0).map(({ id }) => id);
  const stored = (ids: string[]) =>
    sql`(select ${storedIdSql(sql`value`)} from json_each(${JSON.stringify(ids)}))`;
  const ofProject = sql`+project_id = ${storedId(projectId)}`;
  const others = sql`select json_group_array(json(value)) from json_each(copies)
    where value ->> 'email' <> ${email}`;
  return [
    ...(own.length === 0
      ? []
      : [
          db.run(
            sql`update email_clicks set url = '', user_agent = '', ip_address = ''
              where log_id in ${idsIn(own)}`,
          ),
          db.run(
            sql`update log_entries set to_email = '', subscriber_id = null, subject = iif(subject is null, null, ''),
                error = null, tags = null, copies = null, opened_user_agent = null, opened_ip = null,
                queue_id = null, earlier = null
              where id in ${stored(own)} and ${ofProject}`,
          ),
        ]),
    ...(copied.length === 0
      ? []
      : [
          db.run(
            sql`update log_entries set copies = nullif((${others}), '[]')
              where id in ${stored(copied)} and ${ofProject}`,
          ),
        ]),
  ];
}
