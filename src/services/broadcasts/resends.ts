import { sql, type SQL } from "drizzle-orm";
import type { BroadcastPlan, ResendTo } from "../../db/schema/index.ts";
import { accepted, acceptedOfResends, failed, notOpened } from "../email-log/index.ts";
import { namedBy } from "./named-recipients.ts";

/** The columns of a broadcast that may resend another one. */
interface Resending {
  id?: string;
  projectId: string;
  plan?: BroadcastPlan | null;
  topicId?: string | null;
  fromId?: string;
  /** Set to exclude recipients of the other broadcast and of its earlier resends. */
  leavesOutMailed?: true;
}

/** Groups of recipients that overlap: nobody gets a resend to two of one group. */
const GROUPS: Record<ResendTo, readonly ResendTo[]> = {
  failed: ["failed", "failed_or_unknown"],
  failed_or_unknown: ["failed", "failed_or_unknown"],
  joined: ["joined"],
  not_opened: [], // a further reminder is wanted
};

/**
 * Returns the id of the broadcast that a resend to `to` follows: the failures of a resend to failed
 * recipients are those of the first broadcast whom no resend has reached.
 */
export function followedBy(
  { id, plan }: { id: string; plan: BroadcastPlan | null },
  to: ResendTo,
): string {
  const before = plan?.resend;
  return before && to !== "joined" && GROUPS[to].includes(before.to) ? before.of : id;
}

/**
 * Returns the query of the subscribers to whom a broadcast is resent; undefined for a broadcast to
 * any that meet its condition, and for one to those who joined (`joinedLate`).
 */
export function resentTo({ projectId, plan }: Pick<Resending, "projectId" | "plan">) {
  const { of = "", to } = plan?.resend ?? {};
  if (to === undefined || to === "joined") return undefined;
  if (to === "not_opened") return notOpened(projectId, of);
  return failed(projectId, of, to === "failed_or_unknown");
}

/**
 * Returns the SQL condition that a row of `subscribers` existed when the other broadcast began, but
 * became a recipient afterwards, by confirming or by choosing its topic. A subscriber who has
 * unsubscribed since then was a recipient before and is excluded. Rows read: the history of each
 * subscriber who meets the other conditions. `leavesOutMailed` also excludes those who joined
 * before their chunk was claimed; it reads the log, once and only if a subscriber joined late.
 */
export function joinedLate({ projectId, plan, topicId, leavesOutMailed }: Resending): SQL {
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
 * Returns a further SQL condition on `subscribers`: no earlier resend of the same broadcast to the
 * same group has reached or will reach them. They are neither in its log nor listed in its chunks.
 * Empty for any other broadcast.
 */
export function andGotNoEarlier({ id = "", projectId, plan, leavesOutMailed }: Resending): SQL {
  const { resend = null } = plan ?? {};
  const to = resend ? GROUPS[resend.to] : [];
  if (!resend || to.length === 0 || !leavesOutMailed) return sql``;
  const earlier = acceptedOfResends(projectId, { of: resend.of, to }, id, namedBy);
  return sql` and subscribers.id not in (${earlier})`;
}

/** Returns the id after which planning starts: subscribers who joined late may have any id. */
export const planningStart = ({ plan, fromId = "" }: Omit<Resending, "projectId">): string =>
  plan?.resend?.to === "joined" ? "" : fromId;
