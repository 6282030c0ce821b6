import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { membersBeforeConsent, type DraftRow } from "../broadcasts/index.ts";
import { notOpened } from "../email-log/index.ts";
import { compileWhere, parseFixed, topicsOf } from "../segments/index.ts";
import { consentCondition } from "../topics/index.ts";
import type { Narrowing } from "./audience-queries.ts";

/**
 * Returns the filters from the subscribers to the recipients of a draft with a frozen condition:
 * its audience, with the topic and a frequency cap of `capDays` as separate conditions.
 */
export function narrowAudience({ now }: Deps, row: DraftRow, capDays = 0): Narrowing {
  const { projectId, topicId, audienceWhere, plan } = row;
  const members = membersBeforeConsent({ ...row, whereAt: now(), leavesOutMailed: true });
  const left =
    plan.resend?.to === "not_opened"
      ? sql` and subscribers.id in (${notOpened(projectId, plan.resend.of)})`
      : sql``;
  return {
    projectId,
    chosen: { ...members, where: sql`${members.where}${left}` },
    consenting: topicId === null ? sql`true` : consentCondition(topicId),
    due: capDays === 0 ? sql`true` : compileWhere(projectId, `not mailed:${capDays}d`, now()),
    topics: audienceWhere === null ? [] : topicsOf(parseFixed(audienceWhere)),
  };
}

/** The filters of an audience that cannot be determined, which count nobody. */
export const narrowToNobody = (projectId: string): Narrowing => ({
  projectId,
  chosen: { from: sql`subscribers`, where: sql`false`, id: sql`subscribers.id` },
  consenting: sql`true`,
  due: sql`true`,
  topics: [],
});
