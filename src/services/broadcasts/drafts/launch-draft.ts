import { broadcastReason } from "../../../messages/broadcast-reasons.ts";
import type { Message } from "../../../messages/message.ts";
import { sql } from "drizzle-orm";
import { runBatch } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { logLine } from "../../../lib/log-line.ts";
import type { ProjectRow } from "../../access/index.ts";
import { shareSubject } from "../../email-log/index.ts";
import { bounceSettingsOf, selectProject } from "../../projects/index.ts";
import { addNotices, harmless } from "../../service-mail/index.ts";
import { broadcastEvent } from "../broadcast-event.ts";
import { planningStart } from "../resends.ts";
import { leaveOutMailed } from "../leave-out-mailed.ts";
import { plannedSize } from "../plan-queries.ts";
import { audienceFault } from "../audience-fault.ts";
import { isInState, moveState, newestOf, type BroadcastRow } from "../queries.ts";
import { NOT_YET } from "../canary.ts";
import { noteOwnWait } from "../turns/note-waits.ts";
import { blockerOf } from "../turns/turn-order.ts";
import { goesByZones } from "../time-zones/due-times.ts";
import { isDraftRow, type DraftRow } from "./draft-input.ts";
import { draftIs, updateDraftRow, type Expected } from "./draft-queries.ts";

/** The largest delay that goes unreported: a sweep runs every minute. */
const PUNCTUAL_MS = 2 * MINUTE_MS;

/**
 * Turns a scheduled draft that is due into a sending broadcast. One conditional write decides the
 * race, so exactly one worker succeeds, and none after an undo or a change. Returns the broadcast
 * to that worker. Returns undefined while the draft waits for another broadcast; it records the
 * wait, and the sweep retries. A draft that is too late to start becomes a draft again, with an
 * error that says so.
 */
export async function launchDraft(
  deps: Deps,
  row: BroadcastRow,
): Promise<BroadcastRow | undefined> {
  const now = deps.now();
  if (!isDraftRow(row) || row.state !== "scheduled" || row.planDueAt > now) return undefined;
  const [project] = await selectProject(deps.db, row.projectId);
  if (!project) return undefined;
  const lateMs = now - row.planDueAt;
  const fault = lateFault(row, lateMs) ?? audienceFault(row);
  if (fault !== undefined) {
    await refuse(deps, row, fault);
    return undefined;
  }
  // The project may have set the frequency cap after the start.
  const audienceWhere = leaveOutMailed(project, row.audienceWhere);
  return launch(deps, { ...row, audienceWhere }, project, now);
}

/** Returns why a draft is too late; undefined if it is not. */
function lateFault({ plan: { maxDelayMinutes } }: DraftRow, lateMs: number): Message | undefined {
  const isTooLate = maxDelayMinutes !== null && lateMs > maxDelayMinutes * MINUTE_MS;
  return isTooLate ? broadcastReason("too_late", { minutes: minutes(lateMs) }) : undefined;
}

const expectedOf = ({ updatedAt }: DraftRow): Expected => ({
  states: ["scheduled"],
  versions: [updatedAt],
});

async function launch(
  deps: Deps,
  row: DraftRow,
  project: ProjectRow,
  now: number,
): Promise<BroadcastRow | undefined> {
  const { db } = deps;
  const { id, projectId, subject, planDueAt, audienceWhere } = row;
  const expected = expectedOf(row);
  const hasCanary = bounceSettingsOf(project).autoPause.canaryFirst;
  const late = minutes(now - planDueAt);
  const change = {
    kind: "broadcast" as const,
    createdAt: now,
    cutoffId: newestOf(row),
    total: plannedSize({ ...row, whereAt: now }),
    plannedId: planningStart(row),
    planDueAt: deps.now(),
    canaryDueAt: hasCanary && isAtOnce(row) ? NOT_YET : 0,
    decidesAt: row.plan.ab === null ? 0 : NOT_YET,
    audienceWhere,
    whereAt: now,
    reasons: now - planDueAt > PUNCTUAL_MS ? startedLate(late) : null,
  };
  const isLaunched = sql`id = ${id} and kind = 'broadcast' and state = 'scheduled'`; // in this batch only
  const state = "sending" as const;
  const [, , , [launched]] = await runBatch(db, [
    updateDraftRow(db, row, expected, change, now, sql`${blockerOf(row)} is null`),
    broadcastEvent(deps, "broadcast.started", isLaunched, { state }),
    shareSubject(db, { id, projectId, subject }, isInState(projectId, id, ["scheduled"])),
    moveState(db, projectId, id, ["scheduled"], { state }),
  ]);
  if (!launched) await noteOwnWait(deps, id);
  else logLine("info", "broadcast_launched", { broadcastId: id, lateMs: now - planDueAt });
  return launched;
}

/**
 * Returns true if everyone in an audience gets the same mail at once, so that a canary may be sent
 * first.
 */
const isAtOnce = (row: DraftRow) =>
  row.plan.ab === null && !goesByZones(row) && row.plan.resend === null;

/**
 * Turns a scheduled draft that cannot start back into a draft, and notifies the project's owners.
 */
async function refuse(deps: Deps, row: DraftRow, fault: Message): Promise<void> {
  const { id, projectId, name } = row;
  const expected = expectedOf(row);
  const reason = broadcastReason("not_started", { reason: fault });
  const named = harmless(name);
  const notice = {
    projectId,
    cause: `late ${id}`,
    title: "A broadcast was not started",
    text: `${named === "" ? "It" : `"${named}"`} did not start: ${fault.message}. Start it again if you still want to send it.`,
  };
  logLine("warn", "broadcast_not_started", { broadcastId: id, error: reason.message });
  const change = { state: "draft" as const, planDueAt: 0, reasons: [reason] };
  await runBatch(deps.db, [
    ...addNotices(deps, notice, draftIs(projectId, id, expected)),
    updateDraftRow(deps.db, row, expected, change, deps.now()),
  ]);
}

const startedLate = (minutes: number) => [broadcastReason("started_late", { minutes })];

const minutes = (ms: number) => Math.round(ms / MINUTE_MS);
