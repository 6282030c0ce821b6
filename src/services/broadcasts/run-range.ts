import type { App } from "../../app.ts";
import { runBatch } from "../../db/client.ts";
import { AppError, notFound } from "../../errors.ts";
import { logLine } from "../../lib/log-line.ts";
import {
  deliverAll,
  failed,
  OUTCOME_UNKNOWN,
  runSettle,
  settleStatements,
} from "../delivery/index.ts";
import { openSender, selectProject, type Sender } from "../projects/index.ts";
import { factsOfMail, prepareContent, type BroadcastContent } from "./content.ts";
import { enqueue } from "./enqueue.ts";
import { backoffAfter, RANGE_LEASE_MS, WORK_MS } from "./passes.ts";
import { selectInFlight } from "./claim-queries.ts";
import {
  finishIfDone,
  isInState,
  moveState,
  selectBroadcast,
  type BroadcastRow,
} from "./queries.ts";
import {
  addRangeCounts,
  claimRange,
  deleteHeldRange,
  rangeHeld,
  updateHeldRange,
  type RangeClaim,
  type RangeRow,
} from "./range-queries.ts";
import { rangeLedger, type RangeLedger } from "./range-ledger.ts";

/**
 * Works on one range of a broadcast: claims it, sends to its recipients, and finishes it, puts it
 * off or gives it back. Does nothing when the range is not due, done, or another worker's.
 * What a dead worker left in flight is logged as "outcome unknown" first, and never sent again.
 * Throws conflict when another worker took the range over meanwhile.
 */
export async function runRange(
  app: App,
  { broadcastId, afterId }: { broadcastId: string; afterId: string },
): Promise<void> {
  const now = app.now();
  const claim = { broadcastId, afterId, leaseToken: app.newId() };
  const [claimed, found] = (await runBatch(app.db, [
    claimRange(app.db, claim, now, now + RANGE_LEASE_MS),
    selectBroadcast(app.db, broadcastId),
  ])) as [RangeRow[], BroadcastRow[]];
  const [range] = claimed;
  const [broadcast] = found;
  if (!range || !broadcast) return;
  const settled = await settleUnknown(app, broadcast, range, claim);
  const ready = await makeReady(app, broadcast);
  if (!ready) return release(app, broadcast, claim, {});
  const { sender, content } = ready;
  const work = { broadcast, range: settled, claim, content, from: sender.from };
  const ledger = rangeLedger(app, { ...work, deadline: now + WORK_MS });
  await deliverAll(app, sender, ledger);
  await endRange(app, broadcast, settled, claim, ledger);
}

/**
 * Settings and content of a broadcast. When they do not allow sending (settings gone, a key that
 * does not open the password) the broadcast is paused, with the reason for whoever looks after it.
 */
async function makeReady(
  app: App,
  broadcast: BroadcastRow,
): Promise<{ sender: Sender; content: BroadcastContent } | undefined> {
  try {
    const [project] = await selectProject(app.db, broadcast.projectId);
    if (!project) throw notFound("project");
    return { sender: await openSender(app, project), content: await prepareContent(broadcast) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await pauseFor(app, broadcast, error.message);
    return undefined;
  }
}

/** Pauses a broadcast for a reason that its owner has to look after. */
async function pauseFor(app: App, broadcast: BroadcastRow, error: string): Promise<void> {
  const { id, projectId } = broadcast;
  logLine("warn", "broadcast_paused", { broadcastId: id, error });
  await moveState(app.db, projectId, id, ["sending"], { state: "paused", error });
}

async function settleUnknown(
  app: App,
  broadcast: BroadcastRow,
  range: RangeRow,
  claim: RangeClaim,
): Promise<RangeRow> {
  if (range.inFlight.length === 0) return range;
  const [row] = await selectInFlight(app.db, claim);
  const recipients = row?.recipients ?? [];
  const mails = recipients.map((recipient) => ({
    mail: factsOfMail(broadcast, recipient),
    outcome: { main: failed(recipient.email, OUTCOME_UNKNOWN), copies: [] },
  }));
  logLine("warn", "broadcast_outcome_unknown", { broadcastId: broadcast.id, mails: mails.length });
  const change = { inFlight: [], failed: range.failed + mails.length };
  await runSettle(app, [
    ...settleStatements(app, broadcast.projectId, mails, rangeHeld(claim)),
    updateHeldRange(app.db, claim, change),
  ]);
  return { ...range, ...change };
}

async function endRange(
  app: App,
  broadcast: BroadcastRow,
  range: RangeRow,
  claim: RangeClaim,
  ledger: RangeLedger,
): Promise<void> {
  const { again, deferred, isThrough, hasProgress, refusal } = ledger.rest();
  switch (ledger.end()) {
    case "not_sending":
      return release(app, broadcast, claim, { again, deferred });
    case "login_refused":
      await pauseFor(app, broadcast, refusal);
      return release(app, broadcast, claim, { again: [...again, ...deferred], deferred: [] });
    case "out_of_time":
      await release(app, broadcast, claim, { again, deferred });
      return enqueue(app, [message(claim)]);
    case "through":
    case "slowed_down": {
      if (isThrough && deferred.length === 0) return finish(app, claim);
      const waitMs = backoffAfter(range.pass);
      // Who was never tried does not pay for a server that takes some mails and then asks for a pause.
      const pass = isThrough || !hasProgress ? range.pass + 1 : range.pass;
      await updateHeldRange(app.db, claim, {
        state: "pending",
        pass,
        dueAt: app.now() + waitMs,
        again: [...again, ...deferred],
        deferred: [],
        leaseToken: "",
      });
      return enqueue(app, [message(claim)], waitMs);
    }
  }
}

const message = ({ broadcastId, afterId }: RangeClaim) =>
  ({ type: "broadcast_range", broadcastId, afterId }) as const;

async function finish(app: App, claim: RangeClaim): Promise<void> {
  await runBatch(app.db, [
    addRangeCounts(app.db, claim),
    deleteHeldRange(app.db, claim),
    finishIfDone(app.db, app.now(), claim.broadcastId),
  ]);
}

/** Gives a range back as it is; one of a cancelled broadcast is over. */
async function release(
  app: App,
  { id, projectId }: BroadcastRow,
  claim: RangeClaim,
  rest: Partial<Pick<RangeRow, "again" | "deferred">>,
): Promise<void> {
  const cancelled = isInState(projectId, id, ["cancelled"]);
  await runBatch(app.db, [
    addRangeCounts(app.db, claim, cancelled),
    deleteHeldRange(app.db, claim, cancelled),
    updateHeldRange(app.db, claim, { ...rest, state: "pending", dueAt: app.now(), leaseToken: "" }),
  ]);
}
