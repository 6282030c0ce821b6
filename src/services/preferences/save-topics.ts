import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { audienceSettingOf, wakeForRuns } from "../projects/index.ts";
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

/** A reader's choice: the state of each topic, by its id. */
type TopicChoice = Record<string, ConsentState>;

/**
 * Stores a reader's choice; topics that it does not contain keep their state. With double opt-in a
 * new consent is only a request, and the caller emails the reader. A link sent to a former address
 * can only unsubscribe. Unsubscribes from the topic are counted in the broadcast of the mail. The
 * signed link authorizes the call. One D1 round trip.
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
  // If the address has changed since the route read it, consent would be given for the wrong
  // address.
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
    wakeForRuns(deps, projectId, subscriberId),
  ]);
}

/** Selects the subscriber if they are subscribed to the topic. */
const leavers = (projectId: string, id: string, topicId: string): SQL =>
  sql`select s.id from subscribers s join topic_consents c on c.topic_id = ${topicId} and c.subscriber_id = s.id
    where s.id = ${id} and s.project_id = ${projectId} and c.state = 'subscribed'`;
