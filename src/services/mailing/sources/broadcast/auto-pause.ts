import type { AutoPauseLimits } from "../../../../db/schema/index.ts";
import { because, broadcastReason } from "../../../../messages/broadcast-reasons.ts";
import type { Message } from "../../../../messages/message.ts";
import { escapePattern } from "../../../../lib/escape-pattern.ts";
import { isSenderSide, type RefusalReason } from "../../../../mail/bounce/index.ts";
import type { AddressOutcome, MailOutcome } from "../../outcome.ts";
import type { AutoPause } from "../../ledger.ts";

/**
 * The auto-pause of a broadcast (API reference §11.8). It stops a worker whose outcomes show that the
 * list or the sender is bad. It looks only at the outcomes of one worker, in memory, so it costs no
 * query.
 */

/** The number of outcomes at the start of a broadcast, and in each window after them. */
export const FIRST_OUTCOMES = 200;
const WINDOW = 1_000;

/**
 * The number of mails that may be on their way to the server beyond the limit of refusals in a row.
 */
const ON_THEIR_WAY = 5;

/** An outcome as the auto-pause sees it: a bad address, a sender-side reason, or neither. */
type Seen = "bad_address" | RefusalReason | undefined;

/**
 * Creates the auto-pause for the outcomes of a worker. `isStart` is true if the broadcast begins with
 * them.
 */
export function openAutoPause(limits: AutoPauseLimits, isStart: boolean): AutoPause {
  const seen: Seen[] = [];
  const counts = new Map<Seen, number>();
  let inARow: { reason: Seen; count: number } = { reason: undefined, count: 0 };
  let stopped: Message | undefined;
  let total = 0;

  const count = (what: Seen, change: number) => counts.set(what, (counts.get(what) ?? 0) + change);
  const isOver = (what: Seen, limitPct: number) => {
    const isFirst = isStart && total <= FIRST_OUTCOMES;
    const window = isFirst ? FIRST_OUTCOMES : WINDOW;
    const most = Math.ceil((window * limitPct) / 100);
    return limitPct > 0 && (isFirst || total >= WINDOW) && (counts.get(what) ?? 0) >= most;
  };

  const reasonToStop = (what: Seen, outcome: AddressOutcome): Message | undefined => {
    if (what === undefined) return undefined;
    const found = { number: counts.get(what) ?? 0, total: seen.length };
    const { badAddressPct, senderRefusalPct, senderRefusalsInARow: most } = limits;
    if (what === "bad_address")
      return isOver(what, badAddressPct)
        ? broadcastReason("last_addresses_invalid", { ...found, reply: wordsOf(outcome) })
        : undefined;
    const isInARow = most > 0 && inARow.count >= most;
    if (!isInARow && !isOver(what, senderRefusalPct)) return undefined;
    const why = { reason: because(what), reply: wordsOf(outcome) };
    return isInARow
      ? broadcastReason("mails_refused_in_a_row", { number: inARow.count, ...why })
      : broadcastReason("last_mails_refused", { ...found, ...why });
  };

  return {
    note(outcome) {
      const what = seenIn(outcome);
      if (stopped !== undefined || what === null) return;
      total += 1;
      seen.push(what);
      count(what, 1);
      if (seen.length > WINDOW) count(seen.shift(), -1);
      const isSame = what !== undefined && what === inARow.reason;
      inARow = { reason: what, count: isSame ? inARow.count + 1 : 1 };
      stopped = reasonToStop(what, outcome.main);
    },
    mayGive(outstanding) {
      const { senderRefusalsInARow: most } = limits;
      if (most === 0 || stopped !== undefined || !isSenderSide(inARow.reason ?? null)) return true;
      return inARow.count + outstanding < most + ON_THEIR_WAY;
    },
    stopped: () => stopped,
  };
}

/**
 * Returns the words of the server without the address of the recipient. A broadcast keeps the
 * reason of its pause, and an erasure does not look there.
 */
function wordsOf({ email, error }: AddressOutcome): string {
  return (error ?? "").replace(new RegExp(escapePattern(email), "giu"), "…");
}

/**
 * Returns null for an outcome that does not count: nothing was sent, or another attempt follows.
 */
function seenIn({ main: { status, reason }, retry }: MailOutcome): Seen | null {
  if (status === "suppressed" || retry) return null;
  if (status === "bounced") return "bad_address";
  return status === "failed" && reason && isSenderSide(reason) ? reason : undefined;
}
