import type { Ctx } from "../../context.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import type { ProjectRow } from "../access/index.ts";
import { findLinks, judgeLinks } from "./check-links.ts";
import type { PastBroadcast } from "./history-queries.ts";
import { judgeContent } from "./judge-content.ts";
import { problem, type Problem } from "./problems.ts";
import type { DraftFacts, ReadDraft } from "./read-draft.ts";

/**
 * Returns the problems of a draft that show without the network and without a walk through its
 * audience. All problems of the grade `stop` that a start can accept are among them.
 */
export async function judgeDraft(
  ctx: Ctx,
  project: ProjectRow,
  { content, ofBroadcast, faults }: ReadDraft,
  { newest, similar }: DraftFacts,
): Promise<Problem[]> {
  return [
    ...(newest ? [] : [problem("empty_audience", "nobody would get this broadcast")]),
    ...(similar ? [problem("similar_broadcast", describe(similar, ctx.deps.now()))] : []),
    ...faults,
    ...(content ? await judgeContent(ctx, project, content, ofBroadcast, newest) : []),
    ...(content ? judgeLinks(findLinks([content.htmlBody], ctx.deps)) : []),
  ];
}

function describe({ subject, createdAt }: PastBroadcast, now: number): string {
  const minutes = Math.max(1, Math.round((now - createdAt) / MINUTE_MS));
  const ago = minutes < 120 ? `${minutes} minutes ago` : `${Math.round(minutes / 60)} hours ago`;
  return `a broadcast with the same subject or HTML was started ${ago}: ${subject}`;
}
