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

/** Ranges of a turn: each takes some 70 statements, 200 at most, and D1 allows an invocation 1,000. */
const RANGES_A_TURN = 4;

/** A range of one worker's, and the project as it was when the worker got it. */
interface Claimed {
  range: RangeRow;
  project: ProjectRow | undefined;
}

/** What the ranges of one turn have in common. */
interface Turn {
  broadcast: BroadcastRow;
  /** When the worker gives back the range it works on, in milliseconds. */
  deadline: number;
  pool: SessionPool;
  rangesLeft: number;
  content?: BroadcastContent;
}

/**
 * Works on a range of a broadcast: claims it, sends to its recipients, and finishes it, puts it off
 * or gives it back. Then on those after it that are waiting, over the same SMTP sessions.
 * Does nothing when the range is not due, done, or another worker's.
 * What a dead worker left in flight is logged as "outcome unknown" first, and never sent again.
 * Throws conflict when another worker took the range over meanwhile.
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

/** Works on one range; returns the next, if there is one to go on with. */
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
 * Settings and content of a broadcast. When they do not allow sending (settings gone, a key that
 * does not open the password) the broadcast is paused, with the reason for whoever looks after it.
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
      // Who was never tried does not pay for a server that takes some mails and then asks for a pause.
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

/** Leaves a range and, in the same write, takes the next one that waits, if the worker may go on. */
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

/** Gives a range back as it is; one of a cancelled broadcast is over. */
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
