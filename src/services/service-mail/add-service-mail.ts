/*
 * Mails of the service itself: invitations, password reset links, notices. The mail is a row
 * written in the same batch as its cause, as for mails to subscribers
 * (subscribers/pending-mails.ts), so a crash loses no mail, and none is sent twice. A row contains
 * no token: each attempt generates its own.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import type { PENDING_MAIL_KINDS } from "../../db/schema/index.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { wakeSenders } from "../projects/index.ts";
import { senderId } from "./sender.ts";

export type ServiceMailKind = Exclude<
  (typeof PENDING_MAIL_KINDS)[number],
  "subscriber" | "scheduled"
>;

/** A new pending mail: the statement for the batch of its cause, and its id. */
export interface PendingServiceMail {
  id: string;
  statement: Statement;
}

/** Stores a mail if the service can send one and the condition holds at this point of the batch. */
export function addServiceMail(
  { db, newId, now }: Deps,
  kind: ServiceMailKind,
  data: { to: string } & Record<string, string>,
  when: SQL = sql`true`,
): PendingServiceMail {
  const id = newId();
  const at = now();
  const statement = db.run(
    sql`insert into pending_mails (id, project_id, subscriber_id, kind, data, due_at, created_at)
      select ${id}, sender.id, '', ${kind}, ${JSON.stringify(data)}, ${at}, ${at}
      from (select ${senderId()} as id) as sender where sender.id is not null and ${when}`,
  );
  return { id, statement };
}

/** Wakes the sender of the service's own mail. Never throws: the sweep finds mails that are due. */
export async function wakeServiceMail(deps: Deps): Promise<void> {
  try {
    const [sender] = await deps.db.all<{ id: string | null }>(sql`select ${senderId()} as id`);
    if (sender?.id) await wakeSenders(deps, [sender.id]);
  } catch (error) {
    logLine("warn", "wake_refused", { projects: 1, error: errorText(error) });
  }
}
