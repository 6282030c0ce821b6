import { MINUTE_MS } from "../../lib/durations.ts";
import { endByLimits } from "../../lib/rates/end-by-limits.ts";
import type { SendingLimits } from "../../lib/rates/sending-limits.ts";
import type { RecentOutcomes } from "../email-log/reports/index.ts";
import type { BroadcastProgress } from "./control-broadcast.ts";
import type { LinkVisits, Visits } from "./visit-queries.ts";

/** The recipients of a broadcast, each in exactly one of the counts below `total`. */
export interface DeliveryReport {
  total: number;
  sent: number;
  failed: number;
  bounced: number;
  suppressed: number;
  unknown: number;
  waiting: number;
  skipped: number;
  /** Complaints since the start or the last time it was resumed. */
  complaints: number;
  /**
   * Outcomes per minute: the recent rate while it sends, unaffected by pauses, otherwise the
   * average since the start. Null before the first outcome.
   */
  ratePerMinute: number | null;
  /** Milliseconds. Null unless the broadcast is sending. */
  estimatedEndAt: number | null;
  /** When the limits allow the next mail. Null unless they hold back the broadcast. */
  heldUntil: number | null;
  /** The recipients who complained. */
  complained: number;
  /**
   * Mails that were opened or clicked, and recipients who unsubscribed through a link in the mail.
   */
  opened: number;
  openedHuman: number;
  clicked: number;
  clickedHuman: number;
  unsubscribed: number;
  links: LinkVisits[];
}

/** A broadcast with all its counts at one moment. */
export type BroadcastSnapshot = BroadcastProgress & {
  visits: Visits;
  links: LinkVisits[];
  /** Empty unless the broadcast is sending. */
  recent: RecentOutcomes;
  /** When the limits allow its next mail; null unless they hold it back. */
  heldUntil: number | null;
  /** The limits of the mail server. */
  limits: SendingLimits;
};

/**
 * Returns the delivery report of a broadcast. Until the broadcast ends, every recipient without an
 * outcome counts as waiting, including those who have left the audience. At the end, they count as
 * skipped. The audience may also grow during the broadcast, because an undone unsubscribe counts
 * again. `total` then grows with it.
 */
export function deliveryReportOf(progress: BroadcastSnapshot, now: number): DeliveryReport {
  const { sent, bounced, suppressed, unknown, state } = progress;
  const recorded = recordedIn(progress);
  const total = Math.max(progress.total ?? 0, recorded);
  const left = total - recorded;
  const isOver = isFinal(state);
  const rate = recorded === 0 ? null : rateOf(progress, recorded, now);
  const { visits, links, heldUntil } = progress;
  return {
    total,
    sent,
    failed: progress.failed - unknown,
    bounced,
    suppressed,
    unknown,
    waiting: waitingOf(progress),
    skipped: isOver ? left : 0,
    complaints: progress.complaints,
    complained: progress.complaints + progress.earlierComplaints,
    ...visits,
    links,
    ratePerMinute: rate,
    estimatedEndAt: state === "sending" && rate !== null ? endOf(progress, left, rate, now) : null,
    heldUntil,
  };
}

/**
 * Returns when the last recipient is expected to be mailed. While the limits hold back a broadcast,
 * they alone decide, because its speed says nothing; otherwise the later of both counts.
 */
function endOf(progress: BroadcastSnapshot, left: number, rate: number, now: number): number {
  const { heldUntil, limits, perHour, plan, sent, failed, bounced } = progress;
  const firstDay = plan?.warmUpFirstDay ?? null;
  const pace = { perHour, firstDay, mailed: sent + failed + bounced };
  const byLimits = endByLimits(left, heldUntil ?? now, limits, pace);
  return heldUntil === null
    ? Math.max(byLimits, Math.round(now + (left / rate) * MINUTE_MS))
    : byLimits;
}

const recordedIn = ({ sent, failed, bounced, suppressed }: BroadcastProgress) =>
  sent + failed + bounced + suppressed;

const isFinal = (state: BroadcastProgress["state"]) => state === "done" || state === "cancelled";

/** Returns the number of recipients of a broadcast without an outcome yet. */
export const waitingOf = (progress: BroadcastProgress): number =>
  isFinal(progress.state) ? 0 : Math.max((progress.total ?? 0) - recordedIn(progress), 0);

function rateOf(
  { createdAt, finishedAt, recent: { count, since } }: BroadcastSnapshot,
  recorded: number,
  now: number,
): number {
  const perMinute = (outcomes: number, ms: number) => (outcomes / Math.max(ms, 1)) * MINUTE_MS;
  if (since !== null && count > 0) return perMinute(count, now - since);
  return perMinute(recorded, (finishedAt ?? now) - createdAt);
}
