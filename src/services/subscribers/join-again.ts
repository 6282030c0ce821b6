import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { optionalRead, runBatch } from "../../db/client.ts";
import { audienceSettingOf, wakeForRuns } from "../projects/index.ts";
import { joinTopics, lacksChosen, requestTopics, type ChosenTopics } from "../topics/index.ts";
import { claimJoin, joinsUsedUp, selectUsedUp } from "./claim-join.ts";
import { askingMail } from "./confirm-subscription.ts";
import { addPendingMail, type PendingConfirmation, type PendingTemplate } from "./pending-mails.ts";
import { changeStatus, selectSubscriberByEmail } from "./queries.ts";

/** The request of a form for an address that is already in the project. */
export interface JoinAgain extends ChosenTopics {
  /** The new status of an unsubscribed person without double opt-in. */
  to: "active" | "pending";
  /** Whether a mail asks for a confirmation; the project's setting by default. */
  asks?: SQL | undefined;
  mail?: PendingTemplate | PendingConfirmation | undefined;
  /** As in `Joining`. */
  isPublic?: boolean | undefined;
}

/**
 * Lets an unsubscribed person join again, and an active subscriber choose more topics. With double
 * opt-in a mail asks for confirmation first, at most one in ten minutes; a pending person gets that
 * mail again. An earlier join with a public key may have written the metadata, so a welcome mail
 * counts as public. Nothing else of the subscriber changes, and a suppressed address stays
 * suppressed. Returns false if the request contains nothing new. Throws rate_limited for any
 * address once today's unauthenticated joins are used up, so the error does not reveal who is on
 * the list. Takes two D1 round trips.
 */
export async function joinAgain(
  { deps }: Ctx,
  projectId: string,
  email: string,
  { to, mail, isPublic, asks = audienceSettingOf(projectId, "doubleOptIn"), ...topics }: JoinAgain,
): Promise<boolean> {
  const { db } = deps;
  const [[subscriber], usedUp] = await runBatch(db, [
    selectSubscriberByEmail(db, projectId, email),
    optionalRead(isPublic || undefined, () => selectUsedUp(deps, projectId)),
  ]);
  if (usedUp.length > 0) throw joinsUsedUp(deps);
  if (!subscriber) return false; // an erased address
  const { id } = subscriber;
  const now = deps.now();
  const own = sql`id = ${id} and project_id = ${projectId} and email = ${email}`;
  const isNews = sql`(status = 'unsubscribed'
    or status = 'active' and ${lacksChosen(projectId, topics.names)})`;
  const isAsking = sql`(status = 'pending' and ${asks})`;
  const asksForAny = sql`exists (select 1 from subscribers where ${own} and (${isNews} or ${isAsking}))`;
  const claim = isPublic ? claimJoin(deps, projectId, asksForAny) : undefined;
  const mayJoin = claim?.isClaimed ?? sql`true`;
  const isHere = sql`s.email = ${email} and ${mayJoin}`;
  const confirming = mail && "confirm" in mail ? mail : undefined;
  const asking = askingMail(
    deps,
    projectId,
    subscriber,
    { confirm: (confirming?.confirm ?? "none") === "none" ? "none" : "public", id: confirming?.id },
    sql`${asks} and ${mayJoin}`,
  );
  const plain =
    mail && !("confirm" in mail)
      ? addPendingMail(
          deps,
          projectId,
          id,
          { ...mail, isPublic: true },
          {
            when: sql`not ${asks} and ${mayJoin} and exists (select 1 from subscribers where ${own} and status = 'unsubscribed')`,
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
        when: sql`email = ${email} and ${mayJoin} and ${asks} = ${isAsked ? 1 : 0}`,
        consent: { action: isAsked ? "requested" : "subscribed", proof: topics.proof },
      },
      now,
    );
  const [, [found]] = await runBatch(db, [
    optionalRead(claim, ({ statement }) => statement),
    db.all<{ isNews: number; isAsked: number; mayJoin: number }>(
      sql`select ${isNews} as "isNews", ${isAsking} as "isAsked", ${mayJoin} as "mayJoin"
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
    wakeForRuns(deps, projectId, id),
  ]);
  const isNew = found?.isNews === 1;
  if (!isNew && found?.isAsked !== 1) return false;
  if (found.mayJoin !== 1) throw joinsUsedUp(deps);
  return isNew;
}
