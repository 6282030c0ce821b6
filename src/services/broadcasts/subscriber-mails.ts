import type { Ctx } from "../../context.ts";
import { runBatch, type BatchResults, type Database } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  broadcastLogId,
  logKeptFrom,
  selectLogKeys,
  selectMailsOfRecipient,
  type RecipientMail,
} from "../email-log/index.ts";
import { selectSubscriber, type SubscriberRow } from "../subscribers/index.ts";

/** The number of mails shown with a subscriber, and of the newest broadcasts searched for them. */
const RECENT_MAILS = 20;
const BROADCASTS_SEARCHED = 20;

/**
 * Returns the statements that run along with the access check. `readRecentMails` takes their
 * results.
 */
export const subscriberReads = (db: Database, projectId: string, id: string) =>
  [selectSubscriber(db, projectId, id), selectLogKeys(db, projectId, BROADCASTS_SEARCHED)] as const;

/**
 * Returns a subscriber with the newest mails to the address and those of the newest broadcasts.
 * Mails of broadcasts are not indexed by recipient, so their log ids are derived. Takes one D1
 * round trip after that of `subscriberReads`. Throws not_found.
 */
export async function readRecentMails(
  { deps }: Ctx,
  project: ProjectRow,
  [[subscriber], newest]: BatchResults<ReturnType<typeof subscriberReads>>,
): Promise<{ subscriber: SubscriberRow; mails: RecipientMail[] }> {
  if (!subscriber) throw notFound("subscriber");
  const [mails] = await runBatch(deps.db, [
    selectMailsOfRecipient(deps.db, project.id, {
      email: subscriber.email,
      ids: newest.map((broadcast) => broadcastLogId(broadcast, subscriber.id)),
      since: logKeptFrom(deps) ?? 0,
      limit: RECENT_MAILS,
    }),
  ]);
  return { subscriber, mails };
}
