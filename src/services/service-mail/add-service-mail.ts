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
import { senderId } from "./sender.ts";

export type ServiceMailKind = Exclude<(typeof PENDING_MAIL_KINDS)[number], "subscriber">;

/** The time after which the sweep takes over mails that were not sent through the queue. */
const MESSAGE_GRACE_MS = 2 * 60_000;

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
      select ${id}, sender.id, '', ${kind}, ${JSON.stringify(data)}, ${at + MESSAGE_GRACE_MS}, ${at}
      from (select ${senderId()} as id) as sender where sender.id is not null and ${when}`,
  );
  return { id, statement };
}

/**
 * Queues pending mails for sending, where no other project's server delays them. Never throws: the
 * sweep picks up mails whose message was lost.
 */
export async function wakeServiceMail(deps: Deps, ...mails: { id: string }[]): Promise<void> {
  if (mails.length === 0) return;
  try {
    await deps.serviceQueue.sendBatch(
      mails.map(({ id }) => ({ body: { type: "service_mail", pendingMailId: id } })),
    );
  } catch (error) {
    logLine("warn", "pending_mail_wake_refused", { mails: mails.length, error: errorText(error) });
  }
}
