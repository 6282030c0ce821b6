import { sql } from "drizzle-orm";
import type { Ctx } from "../../../context.ts";
import type { Deps } from "../../../deps.ts";
import { runBatchAfter } from "../../../db/client.ts";
import { refusal } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import { auditStatement } from "../../audit/index.ts";
import { existForDraft } from "../../draft-references/index.ts";
import { topicsAreKnown } from "../../segments/index.ts";
import { selectProjectBroadcast, type BroadcastRow } from "../queries.ts";
import { replaceVariants, selectVariants } from "../ab-test/variant-queries.ts";
import { checkDraft, namedIn, requireOneMoment } from "./check-draft.ts";
import { draftAudit, requireExpected } from "./draft-audit.ts";
import { columnsOf, inputOf, type DraftInput, type DraftRow } from "./draft-input.ts";
import { draftIs, updateDraftRow, type DraftState, type Expected } from "./draft-queries.ts";
import { freezeDraft, type FixedDraft, type Frozen } from "./freeze-draft.ts";
import { wakeSenders } from "../../projects/index.ts";
import { startTime } from "./start-time.ts";

/** Throws if a scheduled broadcast may not be sent with this change. */
export type JudgeChange = (before: FixedDraft, after: FixedDraft) => Promise<void>;

/** The number of attempts at a change, because concurrent edits may win the race. */
const TRIES = 5;

/**
 * Changes the given fields of a draft. If the draft is scheduled, its content and audience are
 * frozen again, which `judge` may reject. Throws not_found, 409 with the state once it is sending,
 * precondition_failed if its version is not one of the expected ones, and 400 for invalid fields.
 */
export async function updateDraft(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  change: Partial<DraftInput>,
  versions: number[] | undefined,
  judge: JudgeChange,
): Promise<BroadcastRow> {
  const { db } = ctx.deps;
  for (let tries = 0; tries < TRIES; tries++) {
    const [row] = await selectProjectBroadcast(db, project.id, id);
    requireExpected(row, { states: ["draft", "scheduled"], versions });
    const updated = await tryUpdate(ctx, project, row, change, judge);
    if (updated) return updated;
  }
  throw refusal("broadcast_changed", {});
}

/**
 * Stores a change of a draft, unless the draft has been changed since it was read, or its topic or
 * one of its segments has been deleted.
 */
async function tryUpdate(
  ctx: Ctx,
  project: ProjectRow,
  row: DraftRow,
  change: Partial<DraftInput>,
  judge: JudgeChange,
): Promise<BroadcastRow | undefined> {
  const { deps } = ctx;
  const input = merge(inputOf(row), change);
  requireOneMoment(row, input);
  const topics = namedIn(change);
  await checkDraft(deps, project, input, topics);
  const now = deps.now();
  const isScheduled = row.state === "scheduled";
  const frozen = isScheduled ? await freezeDraft(deps, project, input) : undefined;
  const { variants = [], ...content } = frozen ?? {};
  const fixed = frozen ? { ...content, planDueAt: beginOf(row, input, now) } : {};
  const changed = { ...columnsOf(input, row.plan.resend), ...fixed };
  if (frozen) await judge(await fixedDraft(deps, row), fixedAnew({ ...row, ...changed }, frozen));
  const states: DraftState[] = [isScheduled ? "scheduled" : "draft"];
  const expected: Expected = { states, versions: [row.updatedAt] };
  const fact = draftAudit(project, "broadcast.update", row.id);
  const exist = sql`${existForDraft(project.id, input)} and ${topicsAreKnown(project.id, topics)}`;
  const isStill = sql`${draftIs(project.id, row.id, expected)} and ${exist}`;
  const before = [
    auditStatement(ctx, fact, isStill),
    ...(frozen ? replaceVariants(deps.db, row.id, variants, isStill) : []),
  ];
  const [[updated]] = await runBatchAfter(deps.db, before, [
    updateDraftRow(deps.db, row, expected, changed, now, exist),
  ]);
  if (updated && isScheduled) await wakeSenders(deps, [project.id]);
  return updated;
}

/**
 * Returns the time at which a scheduled broadcast begins after a change. One that is already due
 * and queued keeps its time unless the change sets another.
 */
function beginOf(row: DraftRow, input: DraftInput, now: number): number {
  const { sendAt, planDueAt, plan } = row;
  const isSame = input.sendAt === sendAt && input.timeZone === plan.timeZone;
  const keepsTime = isSame && sendAt !== null && planDueAt <= now;
  return keepsTime ? planDueAt : startTime(input, now);
}

/** Returns a scheduled broadcast as frozen by its start or last change. */
async function fixedDraft({ db }: Deps, row: DraftRow): Promise<FixedDraft> {
  return { row, contents: row.plan.ab === null ? [row] : await selectVariants(db, row.id) };
}

const fixedAnew = (row: DraftRow, { variants }: Frozen): FixedDraft => ({
  row,
  contents: variants.length === 0 ? [row] : variants,
});

/** Returns the fields after a change. A template replaces the draft's own content. */
function merge(before: DraftInput, change: Partial<DraftInput>): DraftInput {
  const own = change.templateId ? { htmlBody: "", textBody: "" } : {};
  return { ...before, ...own, ...change };
}
