import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { PendingMailMessage, ServiceMailMessage } from "./messages.ts";
import { sendPendingMail } from "../services/mailing/index.ts";

/**
 * Sends pending mails sequentially. Acks every message: D1 holds each mail with the time of its
 * next attempt, and the minute sweep finds it.
 */
export async function sendPendingMails(
  deps: Deps,
  received: { message: Message; body: PendingMailMessage | ServiceMailMessage }[],
): Promise<void> {
  for (const { message, body } of received) {
    await sendOne(deps, body);
    message.ack();
  }
}

async function sendOne(
  deps: Deps,
  { pendingMailId }: PendingMailMessage | ServiceMailMessage,
): Promise<void> {
  try {
    const result = await sendPendingMail(deps, pendingMailId);
    if (result.kind === "put_off")
      logLine("warn", "pending_mail_put_off", { pendingMailId, logId: result.answer.id });
    if (result.kind !== "dropped") return;
    const { projectId, subscriberId } = result.mail;
    const error = errorText(result.error);
    logLine("warn", "pending_mail_dropped", { projectId, subscriberId, error });
  } catch (error) {
    logLine("warn", "pending_mail_put_off", { pendingMailId, error: errorText(error) });
  }
}
