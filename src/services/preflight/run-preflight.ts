import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { AppError, reasonOf } from "../../errors.ts";
import type { SeenMail } from "../../mail/sender-check/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { inputOf, startTime, type BroadcastRow } from "../broadcasts/index.ts";
import { inTurn } from "../limits/index.ts";
import { limitsOf, readSending } from "../sending/index.ts";
import type { StorageRow } from "../storage/index.ts";
import { checkVariables, countRecipients, type RecipientCounts } from "./audience-queries.ts";
import { checkLinks, findLinks } from "./check-links.ts";
import { estimate, type Estimate } from "./estimate.ts";
import {
  jsonPath,
  judgeVariables,
  lookedAt,
  variablesIn,
  type MailVariables,
} from "./find-missing.ts";
import { selectPaused } from "./history-queries.ts";
import { judgeDraft } from "./judge-draft.ts";
import { judgeDailyLimit, judgeSender, judgeSettings, judgeStorage } from "./judge-server.ts";
import { GRADES, problem, type Problem } from "./problems.ts";
import { factsOf, factStatements, NO_FACTS, readDraft, type ReadDraft } from "./read-draft.ts";

/** The result of a pre-flight. */
export interface Preflight {
  recipients: RecipientCounts;
  /** Sorted by severity, descending. */
  problems: Problem[];
  lookedAt: { subscribers: number; links: number };
  expected: Estimate;
}

/** The reads that ran together with the access check. */
export interface PreflightReads {
  draft: BroadcastRow | undefined;
  storage: StorageRow | undefined;
  seenMail: SeenMail | undefined;
}

/**
 * Checks a draft as if it were started now: counts its recipients, renders its content, checks the
 * sender's DNS records and requests its links. Changes nothing. Takes at most 25 seconds. Throws
 * not_found, 409 for a broadcast that is not a draft, and 503 if the remaining server limits are
 * unknown.
 */
export async function runPreflight(
  ctx: Ctx,
  project: ProjectRow,
  { draft, storage, seenMail }: PreflightReads,
): Promise<Preflight> {
  const { deps } = ctx;
  const read = await readDraft(ctx, project, draft);
  const variables = variablesOf(read);
  const { counts, looks, paused, facts } = await ask(ctx, project, read, variables);
  const { limits } = limitsOf(project);
  const { use } = await readSending(ctx, project);
  const expected = estimate(counts.total, limits, use, spreadOf(read));
  const settings = await judgeSettings(ctx, project);
  const links = findLinks(
    read.contents.map(({ htmlBody }) => htmlBody),
    deps,
  );
  const sender = settings.length === 0 ? await judgeSender(ctx, project, seenMail) : [];
  const checked = await checkLinks(deps, links);
  const problems = [
    ...settings,
    ...judgeStart(read.draft, deps.now()),
    ...judgeStorage(ctx, storage, expected),
    ...(await judgeDraft(ctx, project, read, facts)),
    ...judgeVariables(variables, looks),
    ...checked.problems,
    ...sender,
    ...judgeDailyLimit(limits, use, counts.total),
    ...judgePaused(paused),
  ];
  return {
    recipients: counts,
    problems: GRADES.flatMap((grade) => problems.filter((one) => one.grade === grade)),
    lookedAt: { subscribers: lookedAt(looks), links: checked.asked },
    expected,
  };
}

const NOBODY: RecipientCounts = {
  active: 0,
  suppressed: 0,
  withoutConsent: 0,
  tooSoon: 0,
  total: 0,
};

/**
 * Queries the database as the project's only expensive read, one statement at a time. An audience
 * that cannot be determined counts as empty.
 */
async function ask(ctx: Ctx, project: ProjectRow, read: ReadDraft, { personal }: MailVariables) {
  const { db, now } = ctx.deps;
  const { narrowing } = read;
  const looking = selectPaused(db, project.id);
  if (!narrowing) {
    const [paused] = await runBatch(db, [looking]);
    return { counts: NOBODY, looks: [], paused, facts: NO_FACTS };
  }
  return inTurn(ctx, project.id, async () => {
    const [counts] = await countRecipients(db, narrowing);
    if (!counts) throw new Error("the recipients were not counted");
    const looks = await checkVariables(db, narrowing, personal.map(jsonPath));
    const facts = factStatements(db, read, narrowing, now());
    const [paused, ...found] = await runBatch(db, [looking, ...facts]);
    return { counts, looks, paused, facts: factsOf(...found) };
  });
}

function variablesOf({ contents, ofBroadcast }: ReadDraft): MailVariables {
  const sources = contents.flatMap(({ subject, htmlBody, textBody }) => [
    subject,
    htmlBody,
    textBody,
  ]);
  return variablesIn(sources, ofBroadcast);
}

const spreadOf = ({ draft: { perHour, plan } }: ReadDraft) => ({
  perHour,
  warmUpFirstDay: plan.warmUpFirstDay,
  isByTimeZone: plan.timeZone !== null,
});

/** Returns the problem of a time at which no draft can start; a scheduled one has started. */
function judgeStart(draft: ReadDraft["draft"], now: number): Problem[] {
  if (draft.state !== "draft") return [];
  try {
    startTime(inputOf(draft), now);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [problem("wrong_start_time", { reason: reasonOf(error) })];
  }
}

/** Returns the problem of another broadcast that is auto-paused. */
function judgePaused([paused]: Awaited<ReturnType<typeof selectPaused>>): Problem[] {
  if (!paused) return [];
  const { id, subject, reasons } = paused;
  return [problem("paused_broadcast", { subject, reason: reasons?.[0] ?? "" }, id)];
}
