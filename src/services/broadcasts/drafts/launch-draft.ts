import { sql } from "drizzle-orm";
import { runBatch } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { logLine } from "../../../lib/log-line.ts";
import { shareSubject } from "../../email-log/index.ts";
import { bounceSettingsOf, selectBounceSettings } from "../../projects/index.ts";
import { addNotices, harmless } from "../../service-mail/index.ts";
import { broadcastEvent } from "../broadcast-event.ts";
import { planLeaseEnd } from "../plan-lease.ts";
import { isInState, moveState, newestOf, sizeOf, type BroadcastRow } from "../queries.ts";
import { NOT_YET } from "../sample.ts";
import { isDraftRow, type DraftRow } from "./draft-input.ts";
import { draftIs, updateDraftRow, type Expected } from "./draft-queries.ts";

/** The lateness that nobody needs to hear of: a sweep runs every minute. */
const PUNCTUAL_MS = 2 * MINUTE_MS;

/**
 * Makes a scheduled draft that is due a broadcast that sends. One write decides, so of any number of
 * workers one succeeds, and none after an undo or a change. Returns the broadcast to that worker. A
 * draft that is later than it may be becomes a draft again, which says so.
 */
export async function launchDraft(
  deps: Deps,
  row: BroadcastRow,
): Promise<BroadcastRow | undefined> {
  const now = deps.now();
  if (!isDraftRow(row) || row.state !== "scheduled" || row.planDueAt > now) return undefined;
  const lateMs = now - row.planDueAt;
  const { maxDelayMinutes } = row.plan;
  if (maxDelayMinutes !== null && lateMs > maxDelayMinutes * MINUTE_MS) {
    await refuse(deps, row, lateMs);
    return undefined;
  }
  return launch(deps, row, now);
}

const expectedOf = ({ updatedAt }: DraftRow): Expected => ({
  states: ["scheduled"],
  versions: [updatedAt],
});

async function launch(deps: Deps, row: DraftRow, now: number): Promise<BroadcastRow | undefined> {
  const { db } = deps;
  const { id, projectId, subject, planDueAt } = row;
  const expected = expectedOf(row);
  const [settings] = await selectBounceSettings(db, projectId);
  const hasSample = bounceSettingsOf(settings).brakes.sampleFirst;
  const late = minutes(now - planDueAt);
  const change = {
    kind: "broadcast" as const,
    createdAt: now,
    cutoffId: newestOf(row),
    total: sizeOf(row),
    plannedId: row.fromId,
    planDueAt: planLeaseEnd(deps),
    looksAt: hasSample ? NOT_YET : 0,
    error: now - planDueAt > PUNCTUAL_MS ? `started ${late} minutes late` : null,
  };
  const isLaunched = sql`id = ${id} and kind = 'broadcast' and state = 'scheduled'`; // in this batch alone
  const state = "sending" as const;
  const [, , , [launched]] = await runBatch(db, [
    updateDraftRow(db, row, expected, change, now),
    broadcastEvent(deps, "broadcast.started", isLaunched, { state }),
    shareSubject(db, { id, projectId, subject }, isInState(projectId, id, ["scheduled"])),
    moveState(db, projectId, id, ["scheduled"], { state }),
  ]);
  if (launched) logLine("info", "broadcast_launched", { broadcastId: id, lateMs: now - planDueAt });
  return launched;
}

/** Makes a draft that is too late a draft again, and tells the owners of its project. */
async function refuse(deps: Deps, row: DraftRow, lateMs: number): Promise<void> {
  const { id, projectId, name } = row;
  const expected = expectedOf(row);
  const error = `not started: it was ${minutes(lateMs)} minutes late`;
  const named = harmless(name);
  const notice = {
    projectId,
    cause: `late ${id}`,
    title: "A broadcast was not started",
    text: `${named === "" ? "It" : `"${named}"`} was ${minutes(lateMs)} minutes late. Start it again if it is still wanted.`,
  };
  logLine("warn", "broadcast_too_late", { broadcastId: id, lateMs });
  const change = { state: "draft" as const, planDueAt: 0, error };
  await runBatch(deps.db, [
    ...addNotices(deps, notice, draftIs(projectId, id, expected)),
    updateDraftRow(deps.db, row, expected, change, deps.now()),
  ]);
}

const minutes = (ms: number) => Math.round(ms / MINUTE_MS);
