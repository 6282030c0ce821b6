import { sql, type SQL } from "drizzle-orm";
import type { BroadcastPlan } from "../../db/schema/index.ts";
import { accepted, acceptedOfJoined } from "../email-log/index.ts";
import { namedBy } from "./named-recipients.ts";

/** The columns of a broadcast that follows another one. */
interface Following {
  id?: string;
  projectId: string;
  plan?: BroadcastPlan | null;
  topicId?: string | null;
  fromId?: string;
  /** Set to leave out whoever got the mail of the other broadcast. */
  leavesOutMailed?: true;
}

/**
 * Returns the SQL condition on `subscribers` that somebody is as old as the audience of the
 * broadcast that this one follows, but became a recipient after its start: they confirmed, or chose
 * its topic. Whoever left since then was a recipient before, and is none of them. Rows read: the
 * history of each subscriber whom the other conditions let through. To leave out those who joined
 * before their chunk was claimed also reads the log, once and only if somebody joined late.
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
 * Returns the further SQL condition on `subscribers` that no earlier broadcast to those who joined
 * since the same one began has reached them, or will: they are neither in its log
 * nor named by its chunks. Empty for any other broadcast.
 */
export function andGotNoEarlier({ id = "", projectId, plan, leavesOutMailed }: Following): SQL {
  const { resend = null } = plan ?? {};
  if (resend?.to !== "joined" || !leavesOutMailed) return sql``;
  return sql` and subscribers.id not in (${acceptedOfJoined(projectId, resend.of, id, namedBy)})`;
}

/**
 * Returns the last id before the planning of a broadcast: those who joined late may have any id.
 */
export const planningStart = ({ plan, fromId = "" }: Omit<Following, "projectId">): string =>
  plan?.resend?.to === "joined" ? "" : fromId;
