import type { App } from "../../app.ts";
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

/** The reason kept of an attempt that was put off: a hostile server's would fill the row. */
const MAX_REASON_CHARACTERS = 255;

/** The share of a lease after which a write renews it: each renewal writes two more rows, its index. */
const RENEW_AFTER = 1 / 6;

/** Why a worker stops working on its range. */
export type RangeEnd = "through" | "slowed_down" | "login_refused" | "out_of_time" | "not_sending";

export interface RangeWork {
  broadcast: BroadcastRow;
  range: RangeRow;
  content: BroadcastContent;
  from: Mailbox;
  /** When the worker gives the range back, in milliseconds. */
  deadline: number;
}

/** The ledger of one claimed range, and what is to be known of it at its end. */
export interface RangeLedger extends Ledger {
  end: () => RangeEnd;
  /**
   * Who was not tried in this pass, who was put off in it, whether nobody is left to be tried, and
   * whether the server took any mail.
   */
  rest: () => {
    again: Deferred[];
    deferred: Deferred[];
    isThrough: boolean;
    hasProgress: boolean;
    /** The server's last word when it slowed down or refused the login. */
    refusal: string;
  };
}

/** Thrown, so that a worker that was taken for dead sends nothing more of what it has in hand. */
const takenOver = () => conflict("the range was taken over by another worker, or removed");

/** Keeps a range's place, counts and mails in flight in its row, one atomic write a group. */
export function rangeLedger(app: App, work: RangeWork): RangeLedger {
  const { broadcast, range: claim, content, from } = work;
  const place = { ...claim };
  const isLastPass = place.pass >= LAST_PASS;
  let end: RangeEnd = "through";
  let refusal = "";
  let hasProgress = false;

  /** Counts what came back; those who are to be tried again are put off, the others returned for the log. */
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

  /** A server that took nothing in the last pass either is given up: the rest is claimed to be failed. */
  const mayClaim = (): boolean => {
    if (end === "through" && app.now() >= work.deadline) end = "out_of_time";
    return end === "through" || (end === "slowed_down" && isLastPass && !hasProgress);
  };

  const progress = () => {
    const { sent, failed: failedCount, bounced, suppressed, deferred } = place;
    const counts = { sent, failed: failedCount, bounced, suppressed, deferred };
    const leaseUntil = leaseEnd(app);
    if (leaseUntil - place.dueAt < app.config.leaseMs * RENEW_AFTER) return counts;
    place.dueAt = leaseUntil;
    return { ...counts, dueAt: leaseUntil };
  };

  const settle = (finished: SettledMail[]) =>
    settleStatements(app, broadcast.projectId, finished, rangeHeld(claim));

  /** Settles, and claims the next group; empty when nobody of it is to be mailed. */
  const claimGroup = async (
    finished: SettledMail[],
    inHand: string[],
    count: number,
  ): Promise<Recipient[]> => {
    const ids = place.again.slice(0, count).map(({ id }) => id);
    const group: NextGroup = ids.length > 0 ? { kind: "ids", ids } : { kind: "after_cursor" };
    const [[row]] = await runSettle(app, settle(finished), [
      claimNextGroup(app.db, broadcast, place, claim, group, inHand, count, progress()),
    ]);
    if (!row) throw takenOver();
    if (row.state !== "sending") end = "not_sending";
    else Object.assign(place, { again: row.again, cursorId: row.cursorId });
    return row.recipients.filter(({ id }) => !inHand.includes(id));
  };

  const settleOnly = async (finished: SettledMail[], inHand: string[]): Promise<void> => {
    const [held] = await runSettle(app, settle(finished), [
      updateHeldRange(app.db, claim, { ...progress(), inFlight: inHand }),
    ]);
    if (held.length === 0) throw takenOver();
  };

  const isThrough = () => place.again.length === 0 && place.cursorId >= place.untilId;
  const hasMore = () => !isThrough() && mayClaim();

  const give = (recipient: Recipient): ClaimedMail => {
    const claimed = claimRecipient(app, from, content, recipient);
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
