/*
 * Mails of the service itself: invitations, links to reset a password, notices. A row that is
 * written together with the cause stores the mail, as for mails to subscribers
 * (subscribers/pending-mails.ts). So a crash loses no mail, and none is sent twice. A row holds no
 * token: each attempt makes its own.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import type { PENDING_MAIL_KINDS } from "../../db/schema/index.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { senderId } from "./sender.ts";

export type ServiceMailKind = Exclude<(typeof PENDING_MAIL_KINDS)[number], "subscriber">;

/** The time after which the sweep takes over mails that the queue has not sent. */
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
 * Queues pending mails for sending, where no server of another project delays them. Never throws:
 * the sweep finds what a lost message leaves.
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
