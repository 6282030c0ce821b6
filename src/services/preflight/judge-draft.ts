import type { Ctx } from "../../context.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { variantLetter } from "../broadcasts/index.ts";
import { isBlank } from "../mailing/index.ts";
import { findLinks, judgeLinks, mayHaveTrackedLink } from "./check-links.ts";
import type { PastBroadcast } from "./history-queries.ts";
import { judgeContent, type Content } from "./judge-content.ts";
import type { Message, Param } from "../../messages/message.ts";
import { ofVariant, preflightReason } from "../../messages/preflight.ts";
import { problem, type Problem } from "./problems.ts";
import type { DraftFacts, ReadDraft } from "./read-draft.ts";

/**
 * Returns the problems of a draft that can be found without network requests and without scanning
 * its audience. They include all problems of the grade `stop` that a start can accept.
 */
export async function judgeDraft(
  ctx: Ctx,
  project: ProjectRow,
  read: ReadDraft,
  { newest, similar, unknownTopics, sharedNames }: DraftFacts,
): Promise<Problem[]> {
  const { contents, narrowing, faults } = read;
  return [
    ...faults,
    ...(newest || !narrowing ? [] : [problem("empty_audience", {})]),
    ...unknownTopics.map((name) => problem("unknown_topic", { name })),
    ...sharedNames.map((name) => problem("template_name_shared", { name })),
    ...(similar
      ? [problem("similar_broadcast", { reason: describe(similar, ctx.deps.now()) }, similar.id)]
      : []),
    ...judgeVariants(project, contents),
    ...judgeCounts(read),
    ...(await judgeContents(ctx, project, read, newest)),
    ...judgeLinks(
      findLinks(
        contents.map(({ htmlBody }) => htmlBody),
        ctx.deps,
      ),
    ),
  ];
}

/** Reports variants of an A/B test that look identical to readers. */
function judgeVariants(project: ProjectRow, contents: Content[]): Problem[] {
  const letters = new Map<string, string[]>();
  for (const [n, { subject, htmlBody, textBody, fromName }] of contents.entries()) {
    const mail = JSON.stringify([subject, htmlBody, textBody, fromName ?? project.fromName ?? ""]);
    letters.set(mail, [...(letters.get(mail) ?? []), variantLetter(n)]);
  }
  return [...letters.values()]
    .filter((same) => same.length > 1)
    .map((same) => problem("identical_variants", { variants: named(same) }));
}

/**
 * Reports variants of an A/B test whose opens or clicks are not counted, because they have no HTML.
 */
function judgeCounts({ draft: { plan }, contents }: ReadDraft): Problem[] {
  if (plan.ab === null || plan.ab.by === "manual") return [];
  const found = (
    isOne: (html: string) => boolean,
    code: "without_html" | "without_tracked_link",
  ): Problem[] => {
    const letters = contents.flatMap(({ htmlBody }, n) =>
      isOne(htmlBody) ? [variantLetter(n)] : [],
    );
    if (letters.length === 0) return [];
    const params = { reason: preflightReason(code), variants: named(letters) };
    return [problem("uncounted_variant", params)];
  };
  const hasNoClicks = (html: string) => !isBlank(html) && !mayHaveTrackedLink(html);
  return [
    ...found(isBlank, "without_html"),
    ...(plan.ab.by === "clicks" ? found(hasNoClicks, "without_tracked_link") : []),
  ];
}

const named = (letters: string[]): Param => {
  const [last = "", ...others] = letters.toReversed();
  if (others.length === 0) return last;
  return preflightReason("and_last", { names: others.toReversed().join(", "), last });
};

/** Judges the content, or that of each variant, and says which variants have a problem. */
async function judgeContents(
  ctx: Ctx,
  project: ProjectRow,
  { contents, ofBroadcast }: ReadDraft,
  newest: DraftFacts["newest"],
): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const [n, content] of contents.entries()) {
    const problems = await judgeContent(ctx, project, content, ofBroadcast, newest);
    const isOnly = contents.length === 1;
    found.push(
      ...problems.map((one) => (isOnly ? one : { ...one, ...ofVariant(one, variantLetter(n)) })),
    );
  }
  return found;
}

function describe({ subject, createdAt, isScheduled }: PastBroadcast, now: number): Message {
  if (isScheduled === 1)
    return preflightReason("scheduled_near", {
      time: new Date(createdAt).toISOString(),
      subject,
    });
  const minutes = Math.round((now - createdAt) / MINUTE_MS);
  if (minutes <= 1) return preflightReason("started_minute_ago", { subject });
  return minutes < 120
    ? preflightReason("started_minutes_ago", { count: minutes, subject })
    : preflightReason("started_hours_ago", { count: Math.round(minutes / 60), subject });
}
