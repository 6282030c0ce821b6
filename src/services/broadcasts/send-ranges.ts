import type { Deps } from "../../deps.ts";
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
  deps: Deps,
  { broadcastId, afterId }: Pick<RangeClaim, "broadcastId" | "afterId">,
): Promise<void> {
  const now = deps.now();
  const claim = { broadcastId, afterId, leaseToken: deps.newId() };
  const [[range], [broadcast]] = await runBatch(deps.db, [
    claimRange(deps.db, claim, now, leaseEnd(deps)),
    selectBroadcast(deps.db, broadcastId),
  ]);
  if (!range || !broadcast) return;
  const [project] = await selectProject(deps.db, broadcast.projectId);
  const pool = new SessionPool();
  const turn = { broadcast, deadline: now + WORK_MS, pool, rangesLeft: RANGES_A_TURN };
  try {
    let claimed: Claimed | undefined = { range, project };
    while (claimed) claimed = await sendRange(deps, turn, claimed);
  } finally {
    await pool.close();
  }
}

/** Works on one range. Returns the next range to continue with, if any. */
async function sendRange(
  deps: Deps,
  turn: Turn,
  { range, project }: Claimed,
): Promise<Claimed | undefined> {
  const { broadcast, deadline, pool } = turn;
  turn.rangesLeft -= 1;
  const settled = await settleUnknown(deps, broadcast, range);
  const ready = await makeReady(deps, turn, project);
  if (!ready) return release(deps, broadcast, range, {});
  const { sender, content } = ready;
  const work = { broadcast, range: settled, content, from: sender.from, deadline };
  const ledger = rangeLedger(deps, work);
  await deliverAll(deps, sender, ledger, pool);
  return endRange(deps, turn, settled, ledger);
}

/**
 * Opens the settings and the content of a broadcast. If they do not allow sending (missing
 * settings, a key that cannot open the password), pauses the broadcast with the reason.
 */
async function makeReady(
  deps: Deps,
  turn: Turn,
  project: ProjectRow | undefined,
): Promise<{ sender: Sender; content: BroadcastContent } | undefined> {
  try {
    if (!project) throw notFound("project");
    const sender = await openSender(deps, project);
    const content = (turn.content ??= await prepareContent(turn.broadcast));
    return { sender, content };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseByItself(deps, turn.broadcast, error.message);
    return undefined;
  }
}

async function settleUnknown(
  deps: Deps,
  broadcast: BroadcastRow,
  range: RangeRow,
): Promise<RangeRow> {
  if (range.inFlight.length === 0) return range;
  const [row] = await selectInFlight(deps.db, range);
  const recipients = row?.recipients ?? [];
  const mails = recipients.map((recipient) => ({
    mail: factsOfMail(broadcast, recipient),
    outcome: { main: failed(recipient.email, OUTCOME_UNKNOWN), copies: [] },
  }));
  logLine("warn", "broadcast_outcome_unknown", { broadcastId: broadcast.id, mails: mails.length });
  const change = { inFlight: [], failed: range.failed + mails.length };
  const settling = settleStatements(deps, broadcast.projectId, mails, rangeHeld(range));
  await runSettle(deps, settling, [updateHeldRange(deps.db, range, change)]);
  return { ...range, ...change };
}

async function endRange(
  deps: Deps,
  turn: Turn,
  range: RangeRow,
  ledger: RangeLedger,
): Promise<Claimed | undefined> {
  const { broadcast } = turn;
  const { again, deferred, isThrough, hasProgress, refusal } = ledger.rest();
  const end = ledger.end();
  switch (end) {
    case "not_sending":
      return release(deps, broadcast, range, { again, deferred });
    case "login_refused":
      await pauseByItself(deps, broadcast, refusal);
      return release(deps, broadcast, range, { again: [...again, ...deferred], deferred: [] });
    case "out_of_time":
      await release(deps, broadcast, range, { again, deferred });
      await enqueue(deps, [message(range)]);
      return undefined;
    case "through":
    case "slowed_down": {
      const mayGoOn = end === "through" && turn.rangesLeft > 0 && deps.now() < turn.deadline;
      if (isThrough && deferred.length === 0)
        return leave(deps, broadcast, range, finishRange(deps, range), mayGoOn);
      const waitMs = backoffAfter(range.pass);
      // An untried recipient must not lose an attempt because the server accepts some mails and
      // then slows down.
      const pass = isThrough || !hasProgress ? range.pass + 1 : range.pass;
      const putOff = updateHeldRange(deps.db, range, {
        state: "pending",
        pass,
        dueAt: deps.now() + waitMs,
        again: [...again, ...deferred],
        deferred: [],
        leaseToken: "",
      });
      const next = await leave(deps, broadcast, range, [putOff], mayGoOn);
      await enqueue(deps, [message(range)], waitMs);
      return next;
    }
  }
}

const message = ({ broadcastId, afterId }: RangeClaim) =>
  ({ type: "broadcast_range", broadcastId, afterId }) as const;

const finishRange = ({ db, now }: Deps, range: RangeClaim): Statement[] => [
  addRangeCounts(db, range),
  deleteHeldRange(db, range),
  finishIfDone(db, now(), range.broadcastId),
];

/** Leaves a range. If the worker may continue, claims the next waiting range in the same write. */
async function leave(
  deps: Deps,
  { projectId }: BroadcastRow,
  range: RangeRow,
  statements: Statement[],
  mayGoOn: boolean,
): Promise<Claimed | undefined> {
  const { db } = deps;
  const now = deps.now();
  if (!mayGoOn) {
    await runBatch(db, statements);
    return undefined;
  }
  const [[next], [project]] = await runBatchAfter(db, statements, [
    claimNextRange(db, range, now, leaseEnd(deps)),
    selectProject(db, projectId),
  ]);
  return next && { range: next, project };
}

/** Releases a range as it is. Finishes it if its broadcast is cancelled. */
async function release(
  deps: Deps,
  { id, projectId }: BroadcastRow,
  range: RangeRow,
  rest: Partial<Pick<RangeRow, "again" | "deferred">>,
): Promise<undefined> {
  const cancelled = isInState(projectId, id, ["cancelled"]);
  await runBatch(deps.db, [
    addRangeCounts(deps.db, range, cancelled),
    deleteHeldRange(deps.db, range, cancelled),
    updateHeldRange(deps.db, range, {
      ...rest,
      state: "pending",
      dueAt: deps.now(),
      leaseToken: "",
    }),
  ]);
}
