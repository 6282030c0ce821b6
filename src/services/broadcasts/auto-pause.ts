import type { AutoPauseLimits } from "../../db/schema/index.ts";
import { because, broadcastReason } from "../../messages/broadcast-reasons.ts";
import type { Message } from "../../messages/message.ts";
import { isSenderSide } from "../../mail/bounce/index.ts";

/**
 * The minimum sample size: fewer outcomes are rated as if there were this many, so that the first
 * rejections do not pause a broadcast.
 */
const FEWEST_OUTCOMES = 200;

/** What an outcome says against a broadcast: one of these, or a sender-side reason. */
export const BAD_ADDRESS = "bad_address";
export const COMPLAINT = "complaint";

/** Returns what an outcome says against a broadcast; undefined for nothing. */
export function problemIn({ status, reason }: { status: string; reason?: string | null }) {
  if (status === "bounced") return BAD_ADDRESS;
  return status === "failed" && reason && isSenderSide(reason) ? reason : undefined;
}

/** Outcomes of a broadcast: the last ones, those of its canary, or all. */
export interface Outcomes {
  total: number;
  /** How many of them have each problem. */
  problems: Iterable<readonly [problem: string, count: number]>;
  /** The last ones, if the server rejected all of them for one sender-side reason. */
  inARow?: { reason: string; count: number; reply: () => string };
}

/** Returns the reason to pause a broadcast with these outcomes, if any (API reference §11.8). */
export function pauseReason(
  { total, problems, inARow }: Outcomes,
  limits: AutoPauseLimits,
): Message | undefined {
  const { senderRefusalsInARow: most } = limits;
  if (inARow && most > 0 && inARow.count >= most) {
    const { count: number, reply } = inARow;
    const reason = because(inARow.reason);
    return broadcastReason("mails_refused_in_a_row", { number, reason, reply: reply() });
  }
  for (const [problem, number] of problems) {
    const [limitPct, say] = ratingOf(problem, limits);
    const isOver = number * 100 >= Math.max(total, FEWEST_OUTCOMES) * limitPct;
    if (limitPct > 0 && number > 0 && isOver) return say({ number, total });
  }
  return undefined;
}

type Rating = [limitPct: number, say: (found: { number: number; total: number }) => Message];

/** Returns the limit of a problem, in percent of all outcomes, and the reason once it is reached. */
function ratingOf(problem: string, limits: AutoPauseLimits): Rating {
  if (problem === BAD_ADDRESS)
    return [limits.badAddressPct, (found) => broadcastReason("addresses_invalid", found)];
  if (problem === COMPLAINT)
    return [limits.complaintPct, (found) => broadcastReason("recipients_complained", found)];
  const reason = because(problem);
  return [
    limits.senderRefusalPct,
    (found) => broadcastReason("mails_refused", { ...found, reason }),
  ];
}
