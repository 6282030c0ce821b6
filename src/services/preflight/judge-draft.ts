import type { Ctx } from "../../context.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { variantLetter } from "../broadcasts/index.ts";
import { isBlank } from "../mailing/index.ts";
import { findLinks, judgeLinks, mayHaveTrackedLink } from "./check-links.ts";
import type { PastBroadcast } from "./history-queries.ts";
import { judgeContent, type Content } from "./judge-content.ts";
import { problem, type Problem } from "./problems.ts";
import type { DraftFacts, ReadDraft } from "./read-draft.ts";

/**
 * Returns the problems of a draft that can be found without the network and without a walk through
 * its audience. All problems of the grade `stop` that a start can accept are among them.
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
    ...(newest || !narrowing ? [] : [problem("empty_audience", "nobody would get this broadcast")]),
    ...unknownTopics.map((name) => problem("unknown_topic", describeTopic(name))),
    ...sharedNames.map((name) => problem("template_name_shared", describeShared(name))),
    ...(similar
      ? [problem("similar_broadcast", describe(similar, ctx.deps.now()), similar.id)]
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

const describeTopic = (name: string) =>
  `the condition names a topic that the project does not have: ${JSON.stringify(name)}. ` +
  "Nobody is subscribed to it, and `not` means everybody";

const describeShared = (name: string) =>
  `other templates have the name ${JSON.stringify(name)}, too: a send by this name takes the one that was changed last`;

/** Names the variants of an A/B test that readers cannot tell apart. */
function judgeVariants(project: ProjectRow, contents: Content[]): Problem[] {
  const letters = new Map<string, string[]>();
  for (const [n, { subject, htmlBody, textBody, fromName }] of contents.entries()) {
    const mail = JSON.stringify([subject, htmlBody, textBody, fromName ?? project.fromName ?? ""]);
    letters.set(mail, [...(letters.get(mail) ?? []), variantLetter(n)]);
  }
  return [...letters.values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const message = `the variants ${listed(same)} are the same mail, so chance alone decides between them`;
      return problem("identical_variants", message);
    });
}

/** Names the variants of an A/B test whose opens or clicks nothing counts: those are of HTML alone. */
function judgeCounts({ draft: { plan }, contents }: ReadDraft): Problem[] {
  if (plan.ab === null || plan.ab.by === "manual") return [];
  const named = (isOne: (html: string) => boolean, words: string): Problem[] => {
    const letters = contents.flatMap(({ htmlBody }, n) =>
      isOne(htmlBody) ? [variantLetter(n)] : [],
    );
    return letters.length === 0
      ? []
      : [problem("uncounted_variant", `${words}: ${listed(letters)}`)];
  };
  const hasNoClicks = (html: string) => !isBlank(html) && !mayHaveTrackedLink(html);
  return [
    ...named(isBlank, "variants without HTML have no counted opens and clicks"),
    ...(plan.ab.by === "clicks"
      ? named(hasNoClicks, "variants without a tracked link have no counted clicks")
      : []),
  ];
}

const listed = (letters: string[]) =>
  letters.length < 2
    ? letters.join("")
    : `${letters.slice(0, -1).join(", ")} and ${letters.at(-1)}`;

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
    const named = contents.length === 1 ? "" : `variant ${variantLetter(n)}: `;
    found.push(...problems.map((one) => ({ ...one, message: `${named}${one.message}` })));
  }
  return found;
}

function describe({ subject, createdAt, isScheduled }: PastBroadcast, now: number): string {
  if (isScheduled === 1) {
    const time = new Date(createdAt).toISOString();
    return `a broadcast with the same subject or HTML is scheduled for ${time}: ${subject}`;
  }
  const minutes = Math.max(1, Math.round((now - createdAt) / MINUTE_MS));
  const many = minutes < 120 ? `${minutes} minutes ago` : `${Math.round(minutes / 60)} hours ago`;
  const ago = minutes === 1 ? "a minute ago" : many;
  return `a broadcast with the same subject or HTML was started ${ago}: ${subject}`;
}
