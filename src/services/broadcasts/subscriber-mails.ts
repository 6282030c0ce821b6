import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { BatchResults, Database } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { searchLog, selectLogKeys, selectRunMails, type LogRow } from "../email-log/index.ts";
import { selectListed, type ListedSubscriber } from "../subscribers/index.ts";

/** The number of mails shown with a subscriber, and of the newest broadcasts searched for them. */
const RECENT_MAILS = 20;
const BROADCASTS_SEARCHED = 20;

/**
 * Returns the statements that run along with the access check. `readRecentMails` takes their
 * results.
 */
export const subscriberReads = (db: Database, projectId: string, id: string) =>
  [
    selectListed(db, projectId, id),
    selectLogKeys(db, projectId, BROADCASTS_SEARCHED),
    selectRunMails(db, projectId, sql`select ${id} as id`, RECENT_MAILS),
  ] as const;

/**
 * Returns a subscriber with the newest mails to the address and those of the newest broadcasts and
 * of automations. Mails of both are not indexed by recipient, so their log ids are derived. Takes one D1
 * round trip after that of `subscriberReads`. Throws not_found.
 */
export async function readRecentMails(
  ctx: Ctx,
  project: ProjectRow,
  [[subscriber], newest, ofRuns]: BatchResults<ReturnType<typeof subscriberReads>>,
): Promise<{ subscriber: ListedSubscriber; mails: LogRow[] }> {
  if (!subscriber) throw notFound("subscriber");
  const broadcasts = [...newest, ...ofRuns];
  const recipient = { email: subscriber.email, subscriberId: subscriber.id, broadcasts };
  const { logs } = await searchLog(ctx, project, {}, recipient, RECENT_MAILS);
  return { subscriber, mails: logs };
}
