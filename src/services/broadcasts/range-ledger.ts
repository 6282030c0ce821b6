import type { Deps } from "../../deps.ts";
import { conflict } from "../../errors.ts";
import type { Deferred } from "../../db/schema/index.ts";
import type { Mailbox } from "../../mail/address.ts";
import {
  failed,
  leaseEnd,
  runSettle,
  settleStatements,
  type ClaimedMail,
  type Ledger,
  type MailFacts,
  type SettledMail,
} from "../delivery/index.ts";
import { claimRecipient, type BroadcastContent } from "./content.ts";
import { LAST_PASS } from "./passes.ts";
import { claimNextGroup, type NextGroup, type Recipient } from "./claim-queries.ts";
import type { BroadcastRow } from "./queries.ts";
import { rangeHeld, updateHeldRange, type RangeRow } from "./range-queries.ts";

/**
 * The length of a stored reason for a deferral. A hostile server's reason would otherwise fill the
 * row.
 */
const MAX_REASON_CHARACTERS = 255;

/**
 * The share of a lease after which a write renews it. A renewal writes two more rows, those of its
 * index.
 */
const RENEW_AFTER = 1 / 6;

/** The reason why a worker stops work on its range. */
export type RangeEnd = "through" | "slowed_down" | "login_refused" | "out_of_time" | "not_sending";

export interface RangeWork {
  broadcast: BroadcastRow;
  range: RangeRow;
  content: BroadcastContent;
  from: Mailbox;
  /** The time at which the worker releases the range, in milliseconds. */
  deadline: number;
}

/** The ledger of one claimed range, with the facts that its end needs. */
export interface RangeLedger extends Ledger {
  end: () => RangeEnd;
  /**
   * Returns the recipients not tried and those deferred in this pass, whether everyone was tried,
   * and whether the server accepted any mail.
   */
  rest: () => {
    again: Deferred[];
    deferred: Deferred[];
    isThrough: boolean;
    hasProgress: boolean;
    /** The server's last answer when it slowed down or refused the login. */
    refusal: string;
  };
}

/**
 * Returns the error that keeps a worker presumed dead from sending the rest of its mails in hand.
 */
const takenOver = () => conflict("the range was taken over by another worker, or removed");

/**
 * Creates a ledger that keeps a range's position, counts and mails in flight in its row, with one
 * atomic write a group.
 */
export function rangeLedger(deps: Deps, work: RangeWork): RangeLedger {
  const { broadcast, range: claim, content, from } = work;
  const place = { ...claim };
  const isLastPass = place.pass >= LAST_PASS;
  let end: RangeEnd = "through";
  let refusal = "";
  let hasProgress = false;

  /** Counts settled mails. Defers those to be tried again and returns the others for the log. */
  const sortOut = (settled: SettledMail[]): SettledMail[] => {
    const finished: SettledMail[] = [];
    for (const one of settled) {
      const { main } = one.outcome;
      if (main.isSlowDown && end !== "login_refused") {
        end = main.isLoginRefused ? "login_refused" : "slowed_down";
        refusal = main.error ?? "";
      }
      if (main.isTransient && (!isLastPass || main.isLoginRefused)) {
        const error = (main.error ?? "").slice(0, MAX_REASON_CHARACTERS);
        place.deferred.push({ id: one.mail.subscriberId ?? "", error });
      } else {
        place[main.status] += 1;
        hasProgress ||= main.status === "sent";
        finished.push(one);
      }
    }
    return finished;
  };

  /**
   * Returns true if the ledger may claim more. If the server accepted nothing in the last pass, it
   * claims the rest only to mark it failed.
   */
  const mayClaim = (): boolean => {
    if (end === "through" && deps.now() >= work.deadline) end = "out_of_time";
    return end === "through" || (end === "slowed_down" && isLastPass && !hasProgress);
  };

  const progress = () => {
    const { sent, failed: failedCount, bounced, suppressed, deferred } = place;
    const counts = { sent, failed: failedCount, bounced, suppressed, deferred };
    const leaseUntil = leaseEnd(deps);
    if (leaseUntil - place.dueAt < deps.config.leaseMs * RENEW_AFTER) return counts;
    place.dueAt = leaseUntil;
    return { ...counts, dueAt: leaseUntil };
  };

  const settle = (finished: SettledMail[]) =>
    settleStatements(deps, broadcast.projectId, finished, rangeHeld(claim));

  /** Settles mails and claims the next group, which is empty if nobody in it should get mail. */
  const claimGroup = async (
    finished: SettledMail[],
    inHand: string[],
    count: number,
  ): Promise<Recipient[]> => {
    const ids = place.again.slice(0, count).map(({ id }) => id);
    const group: NextGroup = ids.length > 0 ? { kind: "ids", ids } : { kind: "after_cursor" };
    const [[row]] = await runSettle(deps, settle(finished), [
      claimNextGroup(deps.db, broadcast, place, claim, group, inHand, count, progress()),
    ]);
    if (!row) throw takenOver();
    if (row.state !== "sending") end = "not_sending";
    else Object.assign(place, { again: row.again, cursorId: row.cursorId });
    return row.recipients.filter(({ id }) => !inHand.includes(id));
  };

  const settleOnly = async (finished: SettledMail[], inHand: string[]): Promise<void> => {
    const [held] = await runSettle(deps, settle(finished), [
      updateHeldRange(deps.db, claim, { ...progress(), inFlight: inHand }),
    ]);
    if (held.length === 0) throw takenOver();
  };

  const isThrough = () => place.again.length === 0 && place.cursorId >= place.untilId;
  const hasMore = () => !isThrough() && mayClaim();

  const give = (recipient: Recipient): ClaimedMail => {
    const claimed = claimRecipient(deps, from, content, recipient);
    if (end !== "slowed_down" || "decided" in claimed.next) return claimed;
    return { ...claimed, next: { decided: failed(recipient.email, refusal) } };
  };

  return {
    end: () => end,
    rest: () => ({
      again: place.again,
      deferred: place.deferred,
      isThrough: isThrough(),
      hasProgress,
      refusal,
    }),
    hasMore,
    async advance(settled, inHand: MailFacts[], count) {
      let finished = sortOut(settled);
      const held = inHand.map(({ subscriberId }) => subscriberId ?? "");
      const isWanted = () => count > 0 && hasMore();
      while (isWanted()) {
        const recipients = await claimGroup(finished, held, count);
        if (end === "not_sending") return [];
        if (recipients.length > 0) return recipients.map(give);
        finished = [];
      }
      if (settled.length > 0 || count === 0) await settleOnly(finished, held);
      return [];
    },
  };
}
