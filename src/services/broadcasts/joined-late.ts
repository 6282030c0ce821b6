import { sql, type SQL } from "drizzle-orm";
import type { BroadcastPlan } from "../../db/schema/index.ts";
import { accepted, acceptedOfJoined } from "../email-log/index.ts";
import { namedBy } from "./named-recipients.ts";

/** The columns of a broadcast that follows up on another one. */
interface Following {
  id?: string;
  projectId: string;
  plan?: BroadcastPlan | null;
  topicId?: string | null;
  fromId?: string;
  /** Set to exclude recipients of the other broadcast. */
  leavesOutMailed?: true;
}

/**
 * Returns the SQL condition that a row of `subscribers` existed when the other broadcast began, but
 * became a recipient afterwards, by confirming or by choosing its topic. A subscriber who has
 * unsubscribed since then was a recipient before and is excluded. Rows read: the
 * history of each subscriber who meets the other conditions. `leavesOutMailed` also excludes those
 * who joined before their chunk was claimed; it reads the log, once and only if a subscriber joined
 * late.
 */
export function joinedLate({ projectId, plan, topicId, leavesOutMailed }: Following): SQL {
  const { resend = null } = plan ?? {};
  if (resend?.to !== "joined") return sql`false`;
  const since = sql`(select created_at from broadcasts first where first.id = ${resend.of})`;
  const has = (steps: SQL) => sql`exists (select 1 from consent_events step
    where step.project_id = subscribers.project_id and step.subscriber_id = subscribers.id and step.at > ${since} and ${steps})`;
  const ofTopic =
    topicId == null
      ? sql`false`
      : sql`(step.topic_id = ${topicId} and step.action in ('subscribed', 'confirmed'))`;
  const joins = sql`((step.topic_id is null and step.action = 'confirmed') or ${ofTopic})`;
  const leaves = sql`step.action = 'unsubscribed' and (step.topic_id is null or step.topic_id = ${topicId ?? ""})`;
  const got = leavesOutMailed
    ? sql` and subscribers.id not in (${accepted(projectId, resend.of)})`
    : sql``;
  return sql`(${has(joins)} and not ${has(leaves)}${got})`;
}

/**
 * Returns a further SQL condition on `subscribers`: no earlier broadcast to those who joined since
 * the same broadcast began has reached or will reach them. They are neither in its log nor listed
 * in its chunks. Empty for any other broadcast.
 */
export function andGotNoEarlier({ id = "", projectId, plan, leavesOutMailed }: Following): SQL {
  const { resend = null } = plan ?? {};
  if (resend?.to !== "joined" || !leavesOutMailed) return sql``;
  return sql` and subscribers.id not in (${acceptedOfJoined(projectId, resend.of, id, namedBy)})`;
}

/** Returns the id after which planning starts: subscribers who joined late may have any id. */
export const planningStart = ({ plan, fromId = "" }: Omit<Following, "projectId">): string =>
  plan?.resend?.to === "joined" ? "" : fromId;
