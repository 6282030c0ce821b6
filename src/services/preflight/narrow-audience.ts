import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { ProjectRow } from "../access/index.ts";
import {
  freezeAudience,
  inputOf,
  membersBeforeConsent,
  type DraftRow,
} from "../broadcasts/index.ts";
import { notOpened } from "../email-log/index.ts";
import { audienceSettingsOf } from "../projects/index.ts";
import { compileWhere, parseFixed, topicsOf } from "../segments/index.ts";
import { consentCondition } from "../topics/index.ts";
import type { Members, Narrowing } from "./audience-queries.ts";

/**
 * Returns the filters from the subscribers to the recipients of a draft: its audience, with the
 * topic and the project's frequency cap as separate conditions. Throws 400 for a condition that
 * does not parse, and not_found for a segment that no longer exists.
 */
export async function narrowAudience(
  deps: Deps,
  project: ProjectRow,
  draft: DraftRow,
): Promise<Narrowing> {
  const settings = audienceSettingsOf(project);
  const anyTime = { ...project, audienceSettings: { ...settings, minDaysBetweenBroadcasts: 0 } };
  const audienceWhere = await freezeAudience(deps, anyTime, inputOf(draft));
  const chosen = membersBeforeConsent({
    ...draft,
    audienceWhere,
    whereAt: deps.now(),
    leavesOutMailed: true,
  });
  const days = settings.minDaysBetweenBroadcasts;
  return {
    projectId: project.id,
    chosen: withoutReaders(draft, chosen),
    consenting: draft.topicId === null ? sql`true` : consentCondition(draft.topicId),
    due: days === 0 ? sql`true` : notMailed(deps, project.id, days),
    topics: namedIn(audienceWhere),
  };
}

/**
 * Returns the filters for the recipients of a scheduled broadcast, whose condition its start has
 * frozen.
 */
export function narrowFixed(deps: Deps, row: DraftRow): Narrowing {
  const chosen = membersBeforeConsent({ ...row, whereAt: deps.now(), leavesOutMailed: true });
  return {
    projectId: row.projectId,
    chosen: withoutReaders(row, chosen),
    consenting: row.topicId === null ? sql`true` : consentCondition(row.topicId),
    due: sql`true`, // the frozen condition includes the frequency cap
    topics: namedIn(row.audienceWhere),
  };
}

const namedIn = (where: string | null): string[] =>
  where === null ? [] : topicsOf(parseFixed(where));

const notMailed = ({ now }: Deps, projectId: string, days: number): SQL =>
  compileWhere(projectId, `not mailed:${days}d`, now());

/** Excludes recipients who opened the broadcast that the draft resends to the others. */
function withoutReaders({ projectId, plan: { resend } }: DraftRow, members: Members): Members {
  if (resend?.to !== "not_opened") return members;
  const left = sql`subscribers.id in (${notOpened(projectId, resend.of)})`;
  return { ...members, where: sql`${members.where} and ${left}` };
}
