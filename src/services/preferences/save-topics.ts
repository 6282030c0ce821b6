import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { audienceSettingOf } from "../projects/index.ts";
import { countInBroadcast, noteLeftBy } from "../subscribers/index.ts";
import {
  personProof,
  requestConsents,
  trimHistory,
  writeConsents,
  type ConsentState,
  type ConsentWay,
} from "../topics/index.ts";
import type { PreferenceLink } from "../tracking/index.ts";

/** The choice of a reader: the state of each topic, by its id. */
type TopicChoice = Record<string, ConsentState>;

/**
 * Stores the choice of a reader; topics that it does not name keep their state. With double opt-in
 * a new consent is only a request, and the caller mails the reader. A link that was
 * mailed to an earlier address only unsubscribes. The broadcast of the mail counts who leaves its
 * topic. The signed link authorises the call. One D1 round trip.
 */
export async function saveTopics(
  ctx: Ctx,
  link: PreferenceLink,
  choice: TopicChoice,
  { by, email }: { by: Extract<ConsentWay, "page" | "one_click">; email: string | undefined },
): Promise<void> {
  const { deps } = ctx;
  const { db } = deps;
  const { projectId, subscriberId, topicId, broadcastId } = link;
  // An address that has changed since the route read it is not the one that agrees.
  const mayAgree = email === undefined ? sql`false` : sql`s.email = ${email}`;
  const asks = audienceSettingOf(projectId, "doubleOptIn");
  const wanted = sql`select choice.key as topic_id, s.id as subscriber_id, choice.value as state
    from json_each(${JSON.stringify(choice)}) choice
    cross join subscribers s on s.id = ${subscriberId} and s.project_id = ${projectId}
    where choice.value = 'unsubscribed' or (${mayAgree} and not ${asks})`;
  const asked = sql`select choice.key as topic_id, s.id as subscriber_id
    from json_each(${JSON.stringify(choice)}) choice
    cross join subscribers s on s.id = ${subscriberId} and s.project_id = ${projectId}
    where choice.value = 'subscribed' and ${mayAgree} and ${asks}`;
  const left = topicId !== null && choice[topicId] === "unsubscribed" ? topicId : undefined;
  const leaving = left && leavers(projectId, subscriberId, left);
  await runBatch(db, [
    ...(leaving
      ? [
          countInBroadcast(db, projectId, broadcastId, leaving),
          noteLeftBy(db, projectId, broadcastId, leaving),
        ]
      : []),
    ...writeConsents(deps, projectId, wanted, personProof(ctx, by)),
    requestConsents(deps, { projectId, subscriberId }, asked, personProof(ctx, by)),
    trimHistory(db, projectId, subscriberId),
  ]);
}

/** Selects the subscriber if they are subscribed to the topic. */
const leavers = (projectId: string, id: string, topicId: string): SQL =>
  sql`select s.id from subscribers s join topic_consents c on c.topic_id = ${topicId} and c.subscriber_id = s.id
    where s.id = ${id} and s.project_id = ${projectId} and c.state = 'subscribed'`;
