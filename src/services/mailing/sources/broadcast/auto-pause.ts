import type { AutoPauseLimits } from "../../../../db/schema/index.ts";
import type { Message } from "../../../../messages/message.ts";
import { escapePattern } from "../../../../lib/escape-pattern.ts";
import { BAD_ADDRESS, pauseReason, problemIn } from "../../../broadcasts/index.ts";
import type { AutoPause } from "../../ledger.ts";
import type { AddressOutcome } from "../../outcome.ts";

/** The number of last outcomes that the auto-pause rates. */
const WINDOW = 1_000;

/**
 * The number of mails that may be on their way to the server beyond the limit of refusals in a row.
 */
const ON_THEIR_WAY = 5;

/**
 * Creates the auto-pause of a broadcast (API reference §11.8), which rates the last outcomes of one
 * sender. They are in memory, so it costs no query.
 */
export function openAutoPause(limits: AutoPauseLimits): AutoPause {
  const { senderRefusalsInARow: most } = limits;
  const seen: (string | undefined)[] = [];
  const problems = new Map<string, number>();
  const count = (problem: string | undefined, change: number) => {
    if (problem !== undefined) problems.set(problem, (problems.get(problem) ?? 0) + change);
  };
  /** The last outcomes that are the same. */
  let last: { problem: string | undefined; count: number } = { problem: undefined, count: 0 };
  const isRefused = () => last.problem !== undefined && last.problem !== BAD_ADDRESS;
  let stopped: Message | undefined;

  return {
    note({ main, retry }) {
      if (stopped !== undefined || main.status === "suppressed" || retry) return;
      const problem = problemIn(main);
      seen.push(problem);
      count(problem, 1);
      if (seen.length > WINDOW) count(seen.shift(), -1);
      last = { problem, count: problem === last.problem ? last.count + 1 : 1 };
      if (problem === undefined) return;
      const inARow = { reason: problem, count: last.count, reply: () => wordsOf(main) };
      const outcomes = { total: seen.length, problems, ...(isRefused() && { inARow }) };
      stopped = pauseReason(outcomes, limits);
    },
    mayGive(outstanding) {
      if (most === 0 || stopped !== undefined || !isRefused()) return true;
      return last.count + outstanding < most + ON_THEIR_WAY;
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
