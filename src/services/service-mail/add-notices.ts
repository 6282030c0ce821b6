import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { operatorId, senderId } from "./sender.ts";

/** A problem that the owners of a project must resolve. */
export interface Notice {
  projectId: string;
  /** The deduplication key: owners are notified of a cause once a day. */
  cause: string;
  title: string;
  /** One sentence about the problem, and one about the remedy. */
  text: string;
}

/** The maximum number of owners who receive a notice. */
const OWNERS_PER_NOTICE = 20;

/** The number of days for which a notice is stored, longer than the deduplication period. */
const NOTICE_LIFE_DAYS = 7;

const dayOf = (ms: number) => Math.floor(ms / DAY_MS);

/**
 * Returns the statements that store a notice to each owner of a project's workspace, once per cause
 * and day (UTC). They apply if the service can send mail and the condition holds at this point of
 * the batch. Owners with an unverified address are skipped, because the address may belong to
 * someone else. Owners who were added without their consent are skipped as well; otherwise anyone
 * could make the service email them. The sweep of the next minute sends the notices.
 */
export function addNotices(
  { db, now }: Deps,
  { projectId, cause, title, text }: Notice,
  when: SQL,
): Statement[] {
  const at = now();
  const day = dayOf(at);
  const isNew = sql`${when} and ${senderId()} is not null
    and not exists (select 1 from owner_notices where day = ${day} and cause = ${cause})`;
  return [
    db.run(
      sql`insert into pending_mails (id, project_id, subscriber_id, kind, data, due_at, created_at)
        select lower(hex(randomblob(16))), ${senderId()}, '', 'notice',
          json_object('to', u.email, 'title', ${title}, 'text', ${text}, 'project', p.name), ${at}, ${at}
        from projects p cross join workspace_members m on m.workspace_id = p.workspace_id
            and m.role = 'owner' and m.accepted = 1
          cross join users u on u.id = m.user_id and u.verified_at is not null
        where p.id = ${projectId} and ${isNew} limit ${OWNERS_PER_NOTICE}`,
    ),
    db.run(
      sql`insert into owner_notices (day, cause) select ${day}, ${cause} where ${isNew} on conflict do nothing`,
    ),
  ];
}

/**
 * Returns the statement that stores a notice to the operator: the owner of the first account, whose
 * address must be verified. It applies if the service can send mail and the condition holds at this
 * point of the batch. Notices are not deduplicated.
 */
export function addOperatorNotice(
  { db, now }: Deps,
  { title, text }: Pick<Notice, "title" | "text">,
  when: SQL,
): Statement {
  const at = now();
  return db.run(
    sql`insert into pending_mails (id, project_id, subscriber_id, kind, data, due_at, created_at)
      select lower(hex(randomblob(16))), ${senderId()}, '', 'notice',
        json_object('to', email, 'title', ${title}, 'text', ${text}, 'project', ''), ${at}, ${at}
      from users where id = ${operatorId()} and ${senderId()} is not null and ${when}`,
  );
}

/** Deletes notices of past weeks. Runs every night. */
export function forgetOldNotices(db: Database, now: number) {
  return db.run(sql`delete from owner_notices where day < ${dayOf(now) - NOTICE_LIFE_DAYS}`);
}
