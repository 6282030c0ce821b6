import type { App } from "../app.ts";
import { AppError } from "../errors.ts";
import { errorText, logLine } from "../lib/log-line.ts";
import type { SubscriberMailMessage } from "../messages.ts";
import { sendSubscriberMail } from "../services/delivery/index.ts";

/** First wait before a failed message is tried again, doubled with each attempt; seconds. */
const FIRST_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;

/** Refusals that another try cannot change: something was deleted, or is not set up. */
const FINAL: ReadonlySet<string> = new Set(["bad_request", "not_found", "suppressed"]);

/** Sends the mails one after another: each is acked when its outcome is logged or can never be. */
export async function sendSubscriberMails(
  app: App,
  received: { message: Message; body: SubscriberMailMessage }[],
): Promise<void> {
  for (const { message, body } of received) {
    try {
      await sendSubscriberMail(app, body);
      message.ack();
    } catch (error) {
      giveBack(message, body, error);
    }
  }
}

function giveBack(message: Message, body: SubscriberMailMessage, error: unknown): void {
  const { projectId, subscriberId } = body;
  const final = error instanceof AppError && FINAL.has(error.code);
  logLine("warn", final ? "subscriber_mail_dropped" : "subscriber_mail_retried", {
    projectId,
    subscriberId,
    error: errorText(error),
  });
  if (final) message.ack();
  else message.retry({ delaySeconds: delayOf(message, error) });
}

function delayOf(message: Message, error: unknown): number {
  const asked = error instanceof AppError ? error.details.retryAfterSeconds : undefined;
  const backoff = FIRST_RETRY_SECONDS * 2 ** Math.max(0, message.attempts - 1);
  return Math.min(asked ?? backoff, MAX_RETRY_SECONDS);
}
