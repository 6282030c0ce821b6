import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { audienceSettingOf } from "../projects/index.ts";
import { joinTopics, lacksChosen, requestTopics, type ChosenTopics } from "../topics/index.ts";
import { askingMail } from "./confirm-subscription.ts";
import {
  addPendingMail,
  wakePendingMails,
  type PendingConfirmation,
  type PendingTemplate,
} from "./pending-mails.ts";
import { changeStatus, selectSubscriberByEmail } from "./queries.ts";

/** What a form asks for an address that the project has. */
interface JoinAgain extends ChosenTopics {
  /** The status of who has left, without double opt-in. */
  to: "active" | "pending";
  mail?: PendingTemplate | PendingConfirmation | undefined;
}

/**
 * Lets a person who has left join again, and an active subscriber choose more topics. With double
 * opt-in a mail asks the person first, at most one in ten minutes; a pending person gets that mail
 * once more. An earlier join with a public key may have written the metadata, so a welcome is a
 * public one. Nothing else of the subscriber changes, and an address on the suppression list stays
 * there. Returns false if the address asks for nothing new. Takes two D1 round trips.
 */
export async function joinAgain(
  { deps }: Ctx,
  projectId: string,
  email: string,
  { to, mail, ...topics }: JoinAgain,
): Promise<boolean> {
  const { db } = deps;
  const [subscriber] = await selectSubscriberByEmail(db, projectId, email);
  if (!subscriber) return false; // an erased address
  const { id } = subscriber;
  const now = deps.now();
  const asks = audienceSettingOf(projectId, "doubleOptIn");
  const own = sql`id = ${id} and project_id = ${projectId} and email = ${email}`;
  const isHere = sql`s.email = ${email}`;
  const confirming = mail && "confirm" in mail ? mail : undefined;
  const asking = askingMail(
    deps,
    projectId,
    subscriber,
    { confirm: (confirming?.confirm ?? "none") === "none" ? "none" : "public", id: confirming?.id },
    asks,
  );
  const plain =
    mail && !("confirm" in mail)
      ? addPendingMail(
          deps,
          projectId,
          id,
          { ...mail, isPublic: true },
          {
            when: sql`not ${asks} and exists (select 1 from subscribers where ${own} and status = 'unsubscribed')`,
          },
        )
      : undefined;
  const back = (status: "active" | "pending", isAsked: boolean) =>
    changeStatus(
      deps,
      projectId,
      id,
      {
        from: "unsubscribed",
        to: status,
        when: sql`email = ${email} and ${asks} = ${isAsked ? 1 : 0}`,
        consent: { action: isAsked ? "requested" : "subscribed", proof: topics.proof },
      },
      now,
    );
  const [[found]] = await runBatch(db, [
    db.all<{ isNews: number; isAsked: number }>(
      sql`select status = 'unsubscribed' or status = 'active' and ${lacksChosen(projectId, topics.names)} as "isNews",
          status = 'pending' and ${asks} as "isAsked"
        from subscribers where ${own}`,
    ),
    ...(plain ? [plain.statement] : []),
    ...back(to, false),
    ...back("pending", true),
    ...(subscriber.status === "pending"
      ? []
      : [
          ...joinTopics(deps, projectId, id, topics, sql`${isHere} and not ${asks}`),
          ...requestTopics(deps, projectId, id, topics, sql`${isHere} and ${asks}`),
        ]),
    asking.statement,
  ]);
  const isNews = found?.isNews === 1;
  if (isNews || found?.isAsked === 1)
    deps.waitUntil(wakePendingMails(deps, [asking.id, ...(plain ? [plain.id] : [])]));
  return isNews;
}
