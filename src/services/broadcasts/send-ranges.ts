import type { App } from "../../app.ts";
import { runBatch, runBatchAfter, type Statement } from "../../db/client.ts";
import { AppError, notFound } from "../../errors.ts";
import { logLine } from "../../lib/log-line.ts";
import {
  deliverAll,
  failed,
  leaseEnd,
  OUTCOME_UNKNOWN,
  runSettle,
  settleStatements,
} from "../delivery/index.ts";
import { SessionPool } from "../../mail/smtp/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { openSender, selectProject, type Sender } from "../projects/index.ts";
import { factsOfMail, prepareContent, type BroadcastContent } from "./content.ts";
import { enqueue } from "./enqueue.ts";
import { pauseByItself } from "./pause-by-itself.ts";
import { backoffAfter, WORK_MS } from "./passes.ts";
import { selectInFlight } from "./claim-queries.ts";
import { finishIfDone, isInState, selectBroadcast, type BroadcastRow } from "./queries.ts";
import {
  addRangeCounts,
  claimNextRange,
  claimRange,
  deleteHeldRange,
  rangeHeld,
  updateHeldRange,
  type RangeClaim,
  type RangeRow,
} from "./range-queries.ts";
import { rangeLedger, type RangeLedger } from "./range-ledger.ts";

/**
 * The ranges of one turn. Each takes some 70 statements, 200 at most, and D1 allows 1,000 per
 * invocation.
 */
const RANGES_A_TURN = 4;

/** A range that a worker holds, and the project at the time of the claim. */
interface Claimed {
  range: RangeRow;
  project: ProjectRow | undefined;
}

/** The state that the ranges of one turn share. */
interface Turn {
  broadcast: BroadcastRow;
  /** The time at which the worker releases its current range, in milliseconds. */
  deadline: number;
  pool: SessionPool;
  rangesLeft: number;
  content?: BroadcastContent;
}

/**
 * Claims a range of a broadcast and sends to its recipients. Then finishes the range, defers it or
 * releases it, and continues with the waiting ranges after it over the same SMTP sessions. Does
 * nothing if the range is not due, is done, or belongs to another worker. First logs the mails that
 * a dead worker left in flight as "outcome unknown", and never sends them again.
 * Throws conflict when another worker takes the range over in the meantime.
 */
export async function sendRanges(
  app: App,
  { broadcastId, afterId }: Pick<RangeClaim, "broadcastId" | "afterId">,
): Promise<void> {
  const now = app.now();
  const claim = { broadcastId, afterId, leaseToken: app.newId() };
  const [[range], [broadcast]] = await runBatch(app.db, [
    claimRange(app.db, claim, now, leaseEnd(app)),
    selectBroadcast(app.db, broadcastId),
  ]);
  if (!range || !broadcast) return;
  const [project] = await selectProject(app.db, broadcast.projectId);
  const pool = new SessionPool();
  const turn = { broadcast, deadline: now + WORK_MS, pool, rangesLeft: RANGES_A_TURN };
  try {
    let claimed: Claimed | undefined = { range, project };
    while (claimed) claimed = await sendRange(app, turn, claimed);
  } finally {
    await pool.close();
  }
}

/** Works on one range. Returns the next range to continue with, if any. */
async function sendRange(
  app: App,
  turn: Turn,
  { range, project }: Claimed,
): Promise<Claimed | undefined> {
  const { broadcast, deadline, pool } = turn;
  turn.rangesLeft -= 1;
  const settled = await settleUnknown(app, broadcast, range);
  const ready = await makeReady(app, turn, project);
  if (!ready) return release(app, broadcast, range, {});
  const { sender, content } = ready;
  const work = { broadcast, range: settled, content, from: sender.from, deadline };
  const ledger = rangeLedger(app, work);
  await deliverAll(app, sender, ledger, pool);
  return endRange(app, turn, settled, ledger);
}

/**
 * Opens the settings and the content of a broadcast. If they do not allow sending (missing
 * settings, a key that cannot open the password), pauses the broadcast with the reason.
 */
async function makeReady(
  app: App,
  turn: Turn,
  project: ProjectRow | undefined,
): Promise<{ sender: Sender; content: BroadcastContent } | undefined> {
  try {
    if (!project) throw notFound("project");
    const sender = await openSender(app, project);
    const content = (turn.content ??= await prepareContent(turn.broadcast));
    return { sender, content };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseByItself(app, turn.broadcast, error.message);
    return undefined;
  }
}

async function settleUnknown(
  app: App,
  broadcast: BroadcastRow,
  range: RangeRow,
): Promise<RangeRow> {
  if (range.inFlight.length === 0) return range;
  const [row] = await selectInFlight(app.db, range);
  const recipients = row?.recipients ?? [];
  const mails = recipients.map((recipient) => ({
    mail: factsOfMail(broadcast, recipient),
    outcome: { main: failed(recipient.email, OUTCOME_UNKNOWN), copies: [] },
  }));
  logLine("warn", "broadcast_outcome_unknown", { broadcastId: broadcast.id, mails: mails.length });
  const change = { inFlight: [], failed: range.failed + mails.length };
  const settling = settleStatements(app, broadcast.projectId, mails, rangeHeld(range));
  await runSettle(app, settling, [updateHeldRange(app.db, range, change)]);
  return { ...range, ...change };
}

async function endRange(
  app: App,
  turn: Turn,
  range: RangeRow,
  ledger: RangeLedger,
): Promise<Claimed | undefined> {
  const { broadcast } = turn;
  const { again, deferred, isThrough, hasProgress, refusal } = ledger.rest();
  const end = ledger.end();
  switch (end) {
    case "not_sending":
      return release(app, broadcast, range, { again, deferred });
    case "login_refused":
      await pauseByItself(app, broadcast, refusal);
      return release(app, broadcast, range, { again: [...again, ...deferred], deferred: [] });
    case "out_of_time":
      await release(app, broadcast, range, { again, deferred });
      await enqueue(app, [message(range)]);
      return undefined;
    case "through":
    case "slowed_down": {
      const mayGoOn = end === "through" && turn.rangesLeft > 0 && app.now() < turn.deadline;
      if (isThrough && deferred.length === 0)
        return leave(app, broadcast, range, finishRange(app, range), mayGoOn);
      const waitMs = backoffAfter(range.pass);
      // An untried recipient must not lose an attempt because the server accepts some mails and
      // then slows down.
      const pass = isThrough || !hasProgress ? range.pass + 1 : range.pass;
      const putOff = updateHeldRange(app.db, range, {
        state: "pending",
        pass,
        dueAt: app.now() + waitMs,
        again: [...again, ...deferred],
        deferred: [],
        leaseToken: "",
      });
      const next = await leave(app, broadcast, range, [putOff], mayGoOn);
      await enqueue(app, [message(range)], waitMs);
      return next;
    }
  }
}

const message = ({ broadcastId, afterId }: RangeClaim) =>
  ({ type: "broadcast_range", broadcastId, afterId }) as const;

const finishRange = ({ db, now }: App, range: RangeClaim): Statement[] => [
  addRangeCounts(db, range),
  deleteHeldRange(db, range),
  finishIfDone(db, now(), range.broadcastId),
];

/** Leaves a range. If the worker may continue, claims the next waiting range in the same write. */
async function leave(
  app: App,
  { projectId }: BroadcastRow,
  range: RangeRow,
  statements: Statement[],
  mayGoOn: boolean,
): Promise<Claimed | undefined> {
  const { db } = app;
  const now = app.now();
  if (!mayGoOn) {
    await runBatch(db, statements);
    return undefined;
  }
  const [[next], [project]] = await runBatchAfter(db, statements, [
    claimNextRange(db, range, now, leaseEnd(app)),
    selectProject(db, projectId),
  ]);
  return next && { range: next, project };
}

/** Releases a range as it is. Finishes it if its broadcast is cancelled. */
async function release(
  app: App,
  { id, projectId }: BroadcastRow,
  range: RangeRow,
  rest: Partial<Pick<RangeRow, "again" | "deferred">>,
): Promise<undefined> {
  const cancelled = isInState(projectId, id, ["cancelled"]);
  await runBatch(app.db, [
    addRangeCounts(app.db, range, cancelled),
    deleteHeldRange(app.db, range, cancelled),
    updateHeldRange(app.db, range, { ...rest, state: "pending", dueAt: app.now(), leaseToken: "" }),
  ]);
}
