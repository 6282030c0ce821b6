import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { optionalRead, runBatch, runBatchAfter, type Statement } from "../../db/client.ts";
import { invalidField, notFound } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import { shareSubject } from "../email-log/index.ts";
import { openSender, stopSending } from "../projects/index.ts";
import { requireRoom, selectStorage, type StorageRow } from "../storage/index.ts";
import { checkInline, requireBody } from "../templates/index.ts";
import { randomToken } from "../../lib/random-token.ts";
import { broadcastEvent, type BroadcastChange } from "./broadcast-event.ts";
import { undoStart } from "./drafts/start-draft.ts";
import { wakeSenders } from "../projects/index.ts";
import { leaveOutMailed } from "./leave-out-mailed.ts";
import { resumption } from "./resumption.ts";
import {
  insertBroadcast,
  isInState,
  moveState,
  selectOpenCounts,
  selectProjectBroadcast,
  type BroadcastRow,
  type LedgerCounts,
} from "./queries.ts";
import { deletePendingChunks, releaseChunks } from "./chunk-queries.ts";
import { logOwnWait } from "./turns/note-waits.ts";
import { HAS_BEGUN, stateInTurn } from "./turns/turn-order.ts";
import { stateConflict } from "./state-conflict.ts";

export interface BroadcastInput {
  templateId: string | null;
  subject: string;
  htmlBody: string;
  textBody: string;
  preheader: string;
  tracking: BroadcastRow["tracking"];
  status: BroadcastRow["status"];
  source: string | null;
}

/**
 * Starts a broadcast to all current subscribers and returns its row. Sending continues in the
 * background, or starts there once no other broadcast is ahead of it. The route checks
 * `send:broadcast`. Throws 400 when the subject is blank or does not parse, when there is neither
 * HTML nor text, or when the settings do not allow sending. Throws 503 when the storage is full.
 */
export async function startBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  input: BroadcastInput,
  storage: StorageRow | undefined,
): Promise<BroadcastRow> {
  const { deps } = ctx;
  checkSubject(input.subject);
  requireBody({ html: input.htmlBody, text: input.textBody });
  requireRoom(deps, storage);
  await openSender(deps, project);
  const id = deps.newId();
  const now = deps.now();
  const logKey = randomToken();
  const audienceWhere = leaveOutMailed(project, null);
  const [[broadcast]] = await runBatch(deps.db, [
    insertBroadcast(
      deps.db,
      {
        id,
        projectId: project.id,
        ...input,
        audienceWhere,
        whereAt: audienceWhere === null ? 0 : now,
        state: "sending",
        logKey,
        plannedId: "",
        planDueAt: deps.now(),
        createdAt: now,
      },
      stateInTurn({ id, projectId: project.id }),
    ),
    broadcastEvent(deps, "broadcast.started", sql`id = ${id} and state = 'sending'`),
    shareSubject(deps.db, { id, projectId: project.id, subject: input.subject }),
    auditStatement(ctx, { scopeId: project.id, action: "broadcast.send", targetId: id }),
  ]);
  if (!broadcast) throw new Error("the broadcast was not stored");
  logOwnWait(broadcast);
  await wakeSenders(deps, [project.id]);
  return broadcast;
}

function checkSubject(subject: string): void {
  if (subject.trim() === "") throw invalidField("subject", faultOf("required"));
  checkInline({ subject });
}

/** A broadcast with the counts of its recorded mails. */
export type BroadcastProgress = BroadcastRow & LedgerCounts;

/** Returns one broadcast. Throws not_found. */
export async function getBroadcast(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
): Promise<BroadcastProgress> {
  const { db } = ctx.deps;
  const [rows, open] = await runBatch(db, [
    selectProjectBroadcast(db, project.id, id),
    selectOpenCounts(db, sql`${id}`),
  ]);
  const [progress] = withProgress(rows, open);
  if (!progress) throw notFound("broadcast");
  return progress;
}

/** Adds the counts of chunks in progress to their broadcasts. */
export function withProgress(
  rows: BroadcastRow[],
  open: (LedgerCounts & { broadcastId: string })[],
): BroadcastProgress[] {
  return rows.map((row) => {
    const more = open.find(({ broadcastId }) => broadcastId === row.id);
    if (!more) return row;
    return {
      ...row,
      sent: row.sent + more.sent,
      failed: row.failed + more.failed,
      bounced: row.bounced + more.bounced,
      suppressed: row.suppressed + more.suppressed,
      unknown: row.unknown + more.unknown,
    };
  });
}

/**
 * Pauses a broadcast: its sender hands over no more of its mails. Throws not_found, and 409 if it
 * has ended.
 */
export async function pauseBroadcast(ctx: Ctx, project: ProjectRow, id: string) {
  const { progress } = await control(ctx, project, id, {
    action: "broadcast.pause",
    from: ["queued", "sending"],
    to: { state: "paused", turnAt: sql`iif(state = 'sending', ${HAS_BEGUN}, turn_at)` },
    event: "broadcast.paused",
  });
  await stopSending(ctx.deps, project);
  return progress;
}

/**
 * Resumes a paused broadcast and releases its chunks. If another one is ahead of it, it is queued.
 * Throws not_found, 409 when it is not paused, 400 (settings), and 503
 * when the storage is full.
 */
export async function resumeBroadcast(ctx: Ctx, project: ProjectRow, id: string) {
  const { deps } = ctx;
  await openSender(deps, project);
  const [[storage], [row]] = await runBatch(deps.db, [
    selectStorage(deps.db),
    selectProjectBroadcast(deps.db, project.id, id),
  ]);
  requireRoom(deps, storage);
  if (!row) throw notFound("broadcast");
  const now = deps.now();
  const { progress } = await control(ctx, project, id, {
    action: "broadcast.resume",
    from: ["paused"],
    to: resumption(deps, row),
    inTurn: stateInTurn({ id, projectId: project.id }),
    releaseAt: now,
  });
  logOwnWait(progress);
  await wakeSenders(deps, [project.id]);
  return progress;
}

/**
 * Cancels a broadcast permanently. The outcomes of mails in flight are still recorded. A scheduled
 * broadcast becomes a draft again. Throws not_found, and 409 if it has ended.
 */
export async function cancelBroadcast(ctx: Ctx, project: ProjectRow, id: string) {
  const { deps } = ctx;
  const { progress, isMoved } = await move(ctx, project, id, {
    action: "broadcast.cancel",
    from: ["queued", "sending", "paused"],
    to: { state: "cancelled", finishedAt: deps.now() },
    event: "broadcast.finished",
    after: deletePendingChunks(deps.db, project.id, id),
  });
  if (progress.state === "scheduled") return undoStart(ctx, project, id);
  if (!isMoved) throw stateConflict(progress.state);
  await stopSending(deps, project);
  return progress;
}

/** An action on a broadcast: the change that it makes, and the states that allow it. */
interface Move {
  action: AuditAction;
  from: BroadcastRow["state"][];
  to: BroadcastChange;
  /** The state to use instead if other broadcasts may be ahead of it. */
  inTurn?: ReturnType<typeof stateInTurn>;
  event?: "broadcast.paused" | "broadcast.finished";
  /** The time at which waiting chunks become due. If undefined, they keep waiting. */
  releaseAt?: number;
  /** Statements that run in the same batch after the change. */
  after?: Statement[];
}

async function control(ctx: Ctx, project: ProjectRow, id: string, change: Move) {
  const { isMoved, ...rest } = await move(ctx, project, id, change);
  if (!isMoved) throw stateConflict(rest.progress.state);
  return rest;
}

/**
 * Changes the state of a broadcast in one write if its current state allows it. Returns its row
 * afterwards. Throws not_found.
 */
async function move(ctx: Ctx, project: ProjectRow, id: string, change: Move) {
  const { deps } = ctx;
  const { db } = deps;
  const { action, from, to, inTurn, event, releaseAt, after = [] } = change;
  const moves = isInState(project.id, id, from);
  const isOwn = sql`id = ${id} and ${moves}`;
  const begins = sql`${isOwn} and turn_at = 0 and ${inTurn?.state} = 'sending'`;
  const told = [
    ...(event ? [broadcastEvent(deps, event, isOwn, to)] : []),
    ...(inTurn ? [broadcastEvent(deps, "broadcast.started", begins, { state: "sending" })] : []),
  ];
  const before = [
    auditStatement(ctx, { scopeId: project.id, action, targetId: id }, moves),
    ...told,
  ];
  const [, moved] = await runBatchAfter(db, before, [
    optionalRead(releaseAt, (at) => releaseChunks(db, id, at, moves)),
    moveState(db, project.id, id, from, { ...to, ...inTurn }),
    ...after,
  ]);
  const progress = await getBroadcast(ctx, project, id);
  return { progress, isMoved: moved.length > 0 };
}
