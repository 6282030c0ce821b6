import type { Ctx } from "../../context.ts";
import type { SeenMail } from "../../mail/sender-check/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { inputOf, startTime, type BroadcastRow } from "../broadcasts/index.ts";
import { inTurn } from "../limits/index.ts";
import { openSender } from "../projects/index.ts";
import { checkProjectSender, limitsOf, readSending } from "../sending/index.ts";
import { knownFill, type StorageRow } from "../storage/index.ts";
import { checkVariables, countRecipients, type RecipientCounts } from "./audience-queries.ts";
import { checkPreflight } from "./checks.ts";
import { estimate, type Estimate } from "./estimate.ts";
import { orFault, readDraft, readFacts, type ReadDraft } from "./facts.ts";
import { probeLinks } from "./links.ts";
import { GRADES, type Problem } from "./problems.ts";
import { jsonPath, lookedAt, variablesIn, type MailVariables } from "./variables.ts";

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
  const { row } = read;
  const variables = variablesIn(read);
  const { counts, lacks, facts } = await readAudience(ctx, project, read, variables);
  const { limits } = limitsOf(project);
  const { use } = await readSending(ctx, project);
  const expected = estimate(counts.total, limits, use, {
    perHour: row.perHour,
    warmUpFirstDay: row.plan.warmUpFirstDay,
    isByTimeZone: row.plan.timeZone !== null,
  });
  const settings = await orFault("no_sender", () => openSender(deps, project));
  const time = await orFault("wrong_start_time", () =>
    row.state === "draft" ? startTime(inputOf(row), deps.now()) : row.planDueAt,
  );
  const sender = settings.part ? await checkProjectSender(ctx, project, undefined, seenMail) : NONE;
  const pages = await probeLinks(deps, facts.links);
  const problems = checkPreflight({
    ...facts,
    faults: [...facts.faults, ...settings.faults, ...time.faults],
    counts,
    variables,
    lacks,
    pages,
    sender: sender.items,
    limits,
    use,
    expected,
    storage: knownFill(deps, storage),
    addedPercent: (expected.logBytes / deps.config.storageLimitBytes) * 100,
  });
  return {
    recipients: counts,
    problems: GRADES.flatMap((grade) => problems.filter((one) => one.grade === grade)),
    lookedAt: {
      subscribers: lookedAt(lacks),
      links: pages.filter(({ state }) => state !== undefined).length,
    },
    expected,
  };
}

/** The findings about a project without a sender. */
const NONE = { items: [] };

/** Reads the audience as the project's only expensive read, one statement at a time. */
function readAudience(ctx: Ctx, project: ProjectRow, read: ReadDraft, { personal }: MailVariables) {
  const { db } = ctx.deps;
  const { narrowing } = read;
  return inTurn(ctx, project.id, async () => {
    const [counts] = await countRecipients(db, narrowing);
    if (!counts) throw new Error("the recipients were not counted");
    const lacks = await checkVariables(db, narrowing, personal.map(jsonPath));
    return { counts, lacks, facts: await readFacts(ctx, project, read) };
  });
}
