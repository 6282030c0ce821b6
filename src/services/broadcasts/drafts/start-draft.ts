import { sql } from "drizzle-orm";
import type { Ctx } from "../../../context.ts";
import { runBatch, runBatchAfter } from "../../../db/client.ts";
import { notFound } from "../../../errors.ts";
import type { ProjectRow } from "../../access/index.ts";
import { auditStatement } from "../../audit/index.ts";
import { existForDraft } from "../../draft-references/index.ts";
import { openSender } from "../../projects/index.ts";
import { requireRoom, type StorageRow } from "../../storage/index.ts";
import { selectProjectBroadcast, type BroadcastRow } from "../queries.ts";
import { replaceVariants } from "../ab-test/variant-queries.ts";
import { requireOneMoment } from "./check-draft.ts";
import { draftAudit, isAsExpected, notAsExpected, requireExpected } from "./draft-audit.ts";
import { inputOf } from "./draft-input.ts";
import { draftIs, updateDraftRow, type Expected } from "./draft-queries.ts";
import { freezeDraft } from "./freeze-draft.ts";
import { wakeSenders } from "../../projects/index.ts";
import { startTime } from "./start-time.ts";

/**
 * Schedules a draft for its `send_at`, or else for the end of the undo window. Its content and
 * audience are frozen now. Returns the draft in its new state. Throws not_found, 409 with the
 * state, precondition_failed, 400 if the draft or the settings do not allow it, and 503 when the
 * storage is full.
 */
export async function startDraft(
  ctx: Ctx,
  project: ProjectRow,
  draft: BroadcastRow | undefined,
  versions: number[] | undefined,
  storage: StorageRow | undefined,
): Promise<BroadcastRow> {
  const { deps } = ctx;
  const { db } = deps;
  requireExpected(draft, { states: ["draft"], versions });
  requireRoom(deps, storage);
  await openSender(deps, project);
  const input = inputOf(draft);
  requireOneMoment(draft, input);
  const { variants, ...frozen } = await freezeDraft(deps, project, input);
  const now = deps.now();
  const planDueAt = startTime(input, now);
  const expected: Expected = { states: ["draft"], versions: [draft.updatedAt] };
  const change = { ...frozen, state: "scheduled" as const, planDueAt, reasons: null };
  const exist = existForDraft(project.id, input);
  const isStill = sql`${draftIs(project.id, draft.id, expected)} and ${exist}`;
  const before = [
    auditStatement(ctx, draftAudit(project, "broadcast.send", draft.id), isStill),
    ...replaceVariants(db, draft.id, variants, isStill),
  ];
  const [[started], [kept]] = await runBatchAfter(db, before, [
    updateDraftRow(db, draft, expected, change, now, exist),
    selectProjectBroadcast(db, project.id, draft.id),
  ]);
  if (!started && kept && isAsExpected(kept, expected)) throw notFound("topic"); // segments are read above
  if (!started) throw notAsExpected(kept, expected);
  await wakeSenders(deps, [project.id]);
  return started;
}

/**
 * Turns a scheduled broadcast back into a draft. Throws not_found, and 409 once the broadcast is
 * sending. The state check is part of the SQL, so on success no mail has been or will be sent.
 */
export async function undoStart(ctx: Ctx, project: ProjectRow, id: string): Promise<BroadcastRow> {
  const { db, now } = ctx.deps;
  const expected: Expected = { states: ["scheduled"], versions: undefined };
  const [, [undone], [kept]] = await runBatch(db, [
    auditStatement(
      ctx,
      draftAudit(project, "broadcast.undo", id),
      draftIs(project.id, id, expected),
    ),
    updateDraftRow(
      db,
      { projectId: project.id, id },
      expected,
      { state: "draft", planDueAt: 0 },
      now(),
    ),
    selectProjectBroadcast(db, project.id, id),
  ]);
  if (!undone) throw notAsExpected(kept, expected);
  return undone;
}
