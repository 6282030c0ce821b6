import { projectExists } from "../projects/index.ts";
import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { AppError, conflict, notFound } from "../../errors.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import type { EmailAddress } from "../../mail/address.ts";
import {
  insertedCount,
  insertSubscribers,
  removeSubscriber,
  selectWaitlist,
  templateExists,
} from "./queries.ts";

export interface WaitlistInput {
  projectId: string;
  email: EmailAddress;
  /** The confirmation mail; none is sent without it. */
  templateId: string | undefined;
}

/**
 * Puts an email on a project's waitlist as `pending` and has the confirmation mailed by the queue.
 * Open to everyone. One D1 round trip.
 * Throws not_found (project, template), conflict for a known email, unavailable when the mail could
 * not be queued: the email is then off the list again, so that the same request can be repeated.
 */
export async function joinWaitlist(ctx: Ctx, input: WaitlistInput): Promise<void> {
  const { db, newId, now } = ctx.app;
  const { projectId, email, templateId = null } = input;
  const id = newId();
  const row = { id, email, name: "", status: "pending" } as const;
  const when = sql`${projectExists(projectId)} and ${templateExists(projectId, templateId)}`;
  const results = await runBatch(db, [
    selectWaitlist(db, projectId, templateId),
    ...insertSubscribers(db, projectId, [row], now(), when),
  ]);
  const [found] = results[0] as { hasTemplate: number }[];
  if (!found) throw notFound("project");
  if (!found.hasTemplate) throw notFound("template");
  if (insertedCount(results) === 0) throw conflict("email is already on the waitlist");
  if (templateId !== null) await queueConfirmation(ctx, projectId, id, templateId);
}

async function queueConfirmation(
  ctx: Ctx,
  projectId: string,
  subscriberId: string,
  templateId: string,
): Promise<void> {
  const { db, mailQueue } = ctx.app;
  try {
    await mailQueue.send({ type: "subscriber_mail", projectId, subscriberId, templateId });
  } catch (error) {
    logLine("error", "waitlist_mail_not_queued", { projectId, error: errorText(error) });
    await runBatch(db, removeSubscriber(db, projectId, subscriberId));
    throw new AppError("unavailable", "the confirmation mail could not be queued: try again");
  }
}

/** Throws not_found unless there is such a project; for requests that are refused for more than that. */
export async function requireWaitlist(ctx: Ctx, projectId: string): Promise<void> {
  const [found] = await selectWaitlist(ctx.app.db, projectId, null);
  if (!found) throw notFound("project");
}
