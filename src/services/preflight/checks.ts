import { messageOf, type Param } from "../../messages/message.ts";
import { ofVariant, preflightReason } from "../../messages/preflight.ts";
import type { CheckItem } from "../../mail/sender-check/index.ts";
import type { SendingLimits } from "../../lib/rates/sending-limits.ts";
import { variantLetter } from "../broadcasts/index.ts";
import type { Preview } from "../mailing/index.ts";
import type { KnownFill } from "../storage/index.ts";
import type { LackRow, RecipientCounts } from "./audience-queries.ts";
import { freeInWindow, type Estimate, type RecentUse } from "./estimate.ts";
import type { DraftFacts } from "./facts.ts";
import { judgeLinks, judgePages, type ProbedLink } from "./links.ts";
import { reasonsOf } from "./other-broadcasts.ts";
import { problem, type Problem, type ReasonedCode } from "./problems.ts";
import { judgeVariables, type MailVariables } from "./variables.ts";

/** The facts of a pre-flight, which also counts recipients and asks the network. */
export interface PreflightFacts extends DraftFacts {
  counts: RecipientCounts;
  variables: MailVariables;
  lacks: LackRow[];
  pages: ProbedLink[];
  /** The findings of the DNS about the sender. */
  sender: CheckItem[];
  limits: SendingLimits;
  use: RecentUse;
  expected: Estimate;
  storage: KnownFill;
  /** The part of the storage, in percent, that the log of the broadcast takes. */
  addedPercent: number;
}

type Check<Facts> = (facts: Facts) => Problem[];

/** The checks of a start; they find all problems of the grade `stop` that a start can accept. */
const DRAFT_CHECKS: Check<DraftFacts>[] = [
  ({ faults }) => faults,
  ({ newest, faults }) =>
    newest || faults.some(({ code }) => code === "broken_audience")
      ? []
      : [problem("empty_audience", {})],
  ({ unknownTopics }) => unknownTopics.map((name) => problem("unknown_topic", { name })),
  similarBroadcast,
  pausedBroadcast,
  identicalVariants,
  content,
  ({ links }) => judgeLinks(links),
];

/** The further checks of a pre-flight. */
const PREFLIGHT_CHECKS: Check<PreflightFacts>[] = [
  storage,
  ({ variables, lacks }) => judgeVariables(variables, lacks),
  ({ pages }) => judgePages(pages),
  ({ sender }) => sender.flatMap(senderFinding),
  dailyLimit,
];

export const checkDraft = (facts: DraftFacts): Problem[] =>
  DRAFT_CHECKS.flatMap((check) => check(facts));

export const checkPreflight = (facts: PreflightFacts): Problem[] => [
  ...checkDraft(facts),
  ...PREFLIGHT_CHECKS.flatMap((check) => check(facts)),
];

function similarBroadcast({ others }: DraftFacts): Problem[] {
  const similar = others.find(({ reasons }) => reasons === null);
  if (!similar) return [];
  const { id, subject, beginsAt } = similar;
  return [problem("similar_broadcast", { time: new Date(beginsAt).toISOString(), subject }, id)];
}

function pausedBroadcast({ others }: DraftFacts): Problem[] {
  const paused = others.find(({ reasons }) => reasons !== null);
  if (!paused) return [];
  const [reason = ""] = reasonsOf(paused);
  return [problem("paused_broadcast", { subject: paused.subject, reason }, paused.id)];
}

/** Reports variants of an A/B test that look identical to readers. */
function identicalVariants({ project, contents }: DraftFacts): Problem[] {
  const mails = contents.map(({ subject, htmlBody, textBody, fromName }) =>
    JSON.stringify([subject, htmlBody, textBody, fromName ?? project.fromName ?? ""]),
  );
  const letters = Map.groupBy(mails.keys(), (n) => mails[n]);
  return [...letters.values()]
    .filter((same) => same.length > 1)
    .map((same) => problem("identical_variants", { variants: same.map(variantLetter).join(", ") }));
}

/** The size above which HTML is too large for mail servers and clients. */
const HTML_BYTES_MAX = 1_048_576;

type PreviewProblem = Preview["problems"][number];

/** The codes of a preview. The missing ones have their own checks. */
const CODES: Partial<Record<PreviewProblem["code"], ReasonedCode>> = {
  syntax: "broken_content",
  render: "broken_content",
  empty: "no_content",
  no_subject: "no_content",
  no_unsubscribe_link: "no_unsubscribe_link",
  too_large: "clipped",
  no_text_part: "no_text_part",
  image_without_alt: "image_without_alt",
  placeholder: "placeholder",
};

/** Returns the problems of each content, one of each kind, with the letter of its variant. */
function content({ previews }: DraftFacts): Problem[] {
  return previews.flatMap((preview, n) => {
    const problems = contentProblems(preview);
    if (previews.length === 1) return problems;
    return problems.map((one) => ({ ...one, ...ofVariant(one, variantLetter(n)) }));
  });
}

function contentProblems({ problems, bytes }: Preview): Problem[] {
  const byCode = Map.groupBy(problems, ({ code }) => CODES[code]);
  return [...byCode].flatMap(([code, found]) => {
    if (code === undefined) return [];
    if (code === "clipped" && bytes !== null && bytes > HTML_BYTES_MAX)
      return [problem("too_large", { bytes, max: HTML_BYTES_MAX })];
    if (code === "placeholder")
      return [...Map.groupBy(found, ({ message }) => message).values()].map((same) =>
        problem(code, { reason: firstOf(same.slice(0, 1)) }),
      );
    return [problem(code, { reason: firstOf(found) })];
  });
}

/** Returns the first of several problems of one kind, with the number of the others. */
function firstOf([first, ...more]: PreviewProblem[]): Param {
  if (!first) return "";
  const reason = messageOf(first.code, first.params ?? {}, first.message);
  if (more.length === 0) return reason;
  return preflightReason("more_like_it", { reason, count: more.length });
}

/** The storage level, in percent, above which the service stops sending. */
const FULL_PERCENT = 95;

function storage({ storage: { percent, level }, addedPercent }: PreflightFacts): Problem[] {
  if (level === "full") return [problem("storage_full", { percent: percent ?? 100 })];
  if (percent === undefined || percent + addedPercent < FULL_PERCENT) return [];
  const after = Math.round(percent + addedPercent);
  return [problem("storage_short", { after, full: FULL_PERCENT })];
}

const OF_VERDICT: Partial<Record<CheckItem["verdict"], "sender_problem" | "sender_warning">> = {
  problem: "sender_problem",
  warning: "sender_warning",
};

function senderFinding(item: CheckItem): Problem[] {
  const { check, domain, verdict, explanation, code, params = {} } = item;
  const problemCode = OF_VERDICT[verdict];
  if (!problemCode) return [];
  return [problem(problemCode, { check, domain, finding: messageOf(code, params, explanation) })];
}

/** Reports a broadcast that exceeds what the server accepts today. */
function dailyLimit({ limits, use, counts: { total } }: PreflightFacts): Problem[] {
  const free = freeInWindow(limits.maxPerDay, use.lastDay);
  if (free === null || total <= free) return [];
  return [problem("daily_limit", { limit: limits.maxPerDay ?? 0, free, mails: total })];
}
