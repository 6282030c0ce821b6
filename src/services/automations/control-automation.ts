import { and, eq, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatchAfter, type Statement } from "../../db/client.ts";
import { automations } from "../../db/schema/index.ts";
import { changedMeanwhile, notFound } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import { cancelAutomationMails, moveAutomationMails } from "../broadcasts/index.ts";
import { openSender, stopSending, wakeSenders } from "../projects/index.ts";
import { requireRoom, type StorageRow } from "../storage/index.ts";
import {
  automationIs,
  selectAutomation,
  type Automation,
  type AutomationState,
} from "./automation-queries.ts";
import { endStoppedRuns } from "./end-stopped-runs.ts";
import { freezeVersion } from "./freeze-version.ts";
import { getAutomation, requireNoProblems, stateConflict } from "./manage-automations.ts";

/**
 * Starts a draft, with the content of its mails frozen, or resumes a paused automation. Throws
 * not_found, precondition_failed if it has changed, 409 if it is active or stopped, 422 for
 * problems of a draft, 400 if the settings do not allow sending, and 503 when the storage is full.
 */
export async function startAutomation(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  storage: StorageRow | undefined,
  versions?: number[],
): Promise<Automation> {
  const { deps } = ctx;
  requireRoom(deps, storage);
  await openSender(deps, project);
  const before = await getAutomation(ctx, project, id);
  const { state, definition, updatedAt } = before;
  if (versions?.includes(updatedAt) === false) throw changedMeanwhile("automation");
  if (state === "paused") return resumeAutomation(ctx, project, before);
  if (state !== "draft") throw stateConflict(state);
  const facts = await requireNoProblems(ctx, project, definition);
  return move(ctx, project, before, {
    action: "automation.started",
    to: { state: "active", startedAt: deps.now() },
    also: (was) => freezeVersion(deps, { ...before, state: "active" }, facts, was),
  });
}

function resumeAutomation(ctx: Ctx, project: ProjectRow, before: Automation) {
  const { db } = ctx.deps;
  return move(ctx, project, before, {
    action: "automation.started",
    to: { state: "active", reasons: null },
    also: (was) => [moveAutomationMails(db, before.id, { from: "paused", to: "sending" }, was)],
  });
}

/**
 * Pauses an automation: nobody enters it or moves in it, and its waiting mails rest. Throws
 * not_found, and 409 if it is not active.
 */
export async function pauseAutomation(ctx: Ctx, project: ProjectRow, id: string) {
  const { deps } = ctx;
  const before = await getAutomation(ctx, project, id);
  if (before.state !== "active") throw stateConflict(before.state);
  const paused = await move(ctx, project, before, {
    action: "automation.paused",
    to: { state: "paused" },
    also: (was) => [moveAutomationMails(deps.db, id, { from: "sending", to: "paused" }, was)],
  });
  await stopSending(deps, project);
  return paused;
}

/**
 * Stops an automation for good: its waiting mails are dropped, and the runs of the people inside
 * end. Throws not_found, and 409 if it is a draft or stopped.
 */
export async function stopAutomation(ctx: Ctx, project: ProjectRow, id: string) {
  const { deps } = ctx;
  const before = await getAutomation(ctx, project, id);
  const { state } = before;
  if (state === "draft" || state === "stopped") throw stateConflict(state);
  const stopped = await move(ctx, project, before, {
    action: "automation.stopped",
    to: { state: "stopped", walkedTo: "" },
    also: (was) => cancelAutomationMails(deps.db, id, deps.now(), was),
  });
  await stopSending(deps, project);
  await endStoppedRuns(deps, stopped);
  return getAutomation(ctx, project, id);
}

interface Move {
  action: AuditAction;
  to: Partial<Pick<Automation, "reasons" | "startedAt" | "walkedTo">> & { state: AutomationState };
  /** Returns statements that run in the same batch before the change, if `was` is true. */
  also: (was: SQL) => Statement[];
}

/** Changes the state of an automation in one write if nobody has changed it since it was read. */
async function move(
  ctx: Ctx,
  project: ProjectRow,
  { id, name, state, updatedAt }: Automation,
  { action, to, also }: Move,
): Promise<Automation> {
  const { db } = ctx.deps;
  const was = automationIs(project.id, id, { states: [state], versions: [updatedAt] });
  const fact = { scopeId: project.id, action, targetId: id, metadata: { name } } as const;
  const [moved, [row]] = await runBatchAfter(
    db,
    [auditStatement(ctx, fact, was), ...also(was)],
    [
      db
        .update(automations)
        .set(to)
        .where(and(eq(automations.id, id), was))
        .returning({ id: automations.id }),
      selectAutomation(db, project.id, id),
    ],
  );
  if (!row) throw notFound("automation");
  if (moved.length === 0)
    throw row.state === state ? changedMeanwhile("automation") : stateConflict(row.state);
  await wakeSenders(ctx.deps, [project.id]);
  return row;
}
