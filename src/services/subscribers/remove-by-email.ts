import { sql } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { removeConsents } from "../topics/index.ts";
import { COUNTER_OF_STATUS, removeActivity, type SubscriberRow } from "./queries.ts";

/**
 * Returns the statements that delete the subscriber with an address, update the counter, and delete
 * its pending mails, consents and tags. The lookup is part of the SQL, so it includes a subscriber
 * who joined concurrently.
 */
export function removeByEmail(db: Database, projectId: string, email: string): Statement[] {
  const ids = sql`select id from subscribers where project_id = ${projectId} and email = ${email}`;
  const moved = Object.entries(COUNTER_OF_STATUS).map(
    ([status, counter]) => sql`${counter} = ${counter} - (was.status = ${status})`,
  );
  return [
    db.run(
      sql`update project_counters set ${sql.join(moved, sql`, `)} from (
          select status from subscribers where id in (${ids})) was
        where project_id = ${projectId}`,
    ),
    db.run(
      sql`delete from pending_mails where project_id = ${projectId}
        and (subscriber_id in (${ids}) or (kind = 'scheduled' and data ->> 'to' = ${email}))`,
    ),
    ...removeConsents(db, projectId, ids),
    ...removeActivity(db, projectId, ids),
    db.run(
      sql`delete from subscriber_tags where (project_id, tag, subscriber_id) in (
        select ${projectId}, tag.value, s.id from subscribers s, json_each(s.tags) tag where s.id in (${ids}))`,
    ),
    db.run(sql`delete from subscribers where id in (${ids})`),
  ];
}

/** Aborts the whole batch, through a null id, if the email of the subscriber has changed. */
export function requireEmail(
  db: Database,
  { id, email }: Pick<SubscriberRow, "id" | "email">,
): Statement {
  return db.run(
    sql`insert into subscribers (id) select null from subscribers where id = ${id} and email <> ${email}`,
  );
}
