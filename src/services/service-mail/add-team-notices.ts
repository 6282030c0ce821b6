import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { senderId } from "./sender.ts";

/**
 * Returns the statement that stores a notice to members of a project's workspace, those of `emails`
 * with a verified address. `text` is an SQL expression; null stores nothing.
 */
export function addTeamNotices(
  { db, now }: Deps,
  {
    projectId,
    emails,
    title,
    text,
  }: { projectId: string; emails: string[]; title: string; text: SQL },
): Statement {
  const at = now();
  return db.run(
    sql`insert into pending_mails (id, project_id, subscriber_id, kind, data, due_at, created_at)
      select lower(hex(randomblob(16))), ${senderId()}, '', 'notice',
        json_object('to', u.email, 'title', ${title}, 'text', notice.text, 'project', p.name), ${at}, ${at}
      from (select ${text} as text) notice cross join projects p on p.id = ${projectId}
        cross join workspace_members m on m.workspace_id = p.workspace_id and m.accepted = 1
        cross join users u on u.id = m.user_id and u.verified_at is not null
          and u.email in (select value from json_each(${JSON.stringify(emails)}))
      where notice.text is not null and ${senderId()} is not null`,
  );
}
