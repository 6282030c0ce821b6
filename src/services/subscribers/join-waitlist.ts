import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { conflict, notFound } from "../../errors.ts";
import type { EmailAddress } from "../../mail/address.ts";
import { projectExists } from "../projects/index.ts";
import { addPendingMail, wakePendingMails } from "./pending-mails.ts";
import { insertSubscribers, selectWaitlist, templateIsUsable } from "./queries.ts";

export interface WaitlistInput {
  projectId: string;
  email: EmailAddress;
  /** The template of the confirmation mail; without it there is no mail. */
  templateId: string | undefined;
}

/**
 * Puts an email on a project's waitlist as `pending`, and stores the confirmation mail, which the
 * queue sends. Anyone may call it. One D1 round trip. Throws not_found for an unknown project, and
 * for a template that is unknown or closed to strangers. Throws conflict for a known email.
 */
export async function joinWaitlist(ctx: Ctx, input: WaitlistInput): Promise<void> {
  const { deps } = ctx;
  const { projectId, email, templateId = null } = input;
  const id = deps.newId();
  const row = { id, email, name: "", status: "pending" } as const;
  const pending =
    templateId === null
      ? undefined
      : addPendingMail(deps, projectId, id, { id: templateId, isPublic: true });
  const when = sql`${projectExists(projectId)} and ${templateIsUsable(projectId, templateId)}`;
  const [[found], , , inserted] = await runBatch(deps.db, [
    selectWaitlist(deps.db, projectId, templateId),
    ...insertSubscribers(deps, projectId, [row], deps.now(), when),
    ...(pending ? [pending.statement] : []),
  ]);
  if (!found) throw notFound("project");
  if (!found.hasTemplate) throw notFound("template");
  if (inserted.meta.changes === 0) throw conflict("email is already on the waitlist");
  if (pending) deps.waitUntil(wakePendingMails(deps, [pending.id]));
}

/** Throws not_found unless the project exists; serves requests that also have another fault. */
export async function requireWaitlist(ctx: Ctx, projectId: string): Promise<void> {
  const [found] = await selectWaitlist(ctx.deps.db, projectId, null);
  if (!found) throw notFound("project");
}
