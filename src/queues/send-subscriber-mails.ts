import type { Deps } from "../deps.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { SubscriberMailMessage } from "./messages.ts";
import { sendOwedMail } from "../services/mailing/index.ts";

/**
 * Sends the mails one after another. It acks every message: D1 holds the owed mail with the time of
 * its next attempt, and the minute sweep finds it.
 */
export async function sendSubscriberMails(
  deps: Deps,
  received: { message: Message; body: SubscriberMailMessage }[],
): Promise<void> {
  for (const { message, body } of received) {
    await sendOne(deps, body);
    message.ack();
  }
}

async function sendOne(deps: Deps, { owedMailId }: SubscriberMailMessage): Promise<void> {
  try {
    const result = await sendOwedMail(deps, owedMailId);
    if (result.kind === "put_off")
      logLine("warn", "subscriber_mail_put_off", { owedMailId, logId: result.answer.id });
    if (result.kind !== "dropped") return;
    const { projectId, subscriberId } = result.mail;
    const error = errorText(result.error);
    logLine("warn", "subscriber_mail_dropped", { projectId, subscriberId, error });
  } catch (error) {
    logLine("warn", "subscriber_mail_put_off", { owedMailId, error: errorText(error) });
  }
}
