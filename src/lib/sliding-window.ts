/** A limit of `limit` hits in any `windowMs` milliseconds. */
export interface Limit {
  limit: number;
  windowMs: number;
}

export interface Verdict {
  allowed: boolean;
  limit: number;
  /** Hits left in the window after this one. */
  remaining: number;
  /** Until capacity becomes free (refused), or until the oldest hits leave the window (allowed). */
  resetMs: number;
}

/**
 * Hits of one tenth of a second: the time of the last one (milliseconds since 1970 UTC) and their
 * number.
 */
export type Slot = [lastMs: number, hits: number];

/** Slot length: a window of a minute has at most 601 slots, whatever its limit. */
const SLOT_MS = 100;

/**
 * Checks one hit at `nowMs` against the earlier hits, oldest slot first. Returns the slots then in
 * the window, including this hit if it is allowed.
 *
 * The hits of a slot leave the window together, when the last of them is `windowMs` old. At most
 * `limit` pass in any window, and capacity becomes free less than 100 ms late, at the time in
 * `resetMs`.
 */
export function judgeHit(
  { limit, windowMs }: Limit,
  before: readonly Slot[],
  nowMs: number,
): { verdict: Verdict; slots: Slot[] } {
  const slots = slotsOf(before, nowMs - windowMs, nowMs);
  const count = slots.reduce((sum, [, hits]) => sum + hits, 0);
  const allowed = count < limit;
  if (allowed) addHit(slots, nowMs);
  const lastMs = lastToLeave(slots, allowed ? 1 : count - limit + 1) ?? nowMs;
  const resetMs = lastMs + windowMs - nowMs;
  const remaining = allowed ? limit - count - 1 : 0;
  return { verdict: { allowed, limit, remaining, resetMs }, slots };
}

/** Returns a copy of the slots after a time. */
function slotsOf(before: readonly Slot[], afterMs: number, nowMs: number): Slot[] {
  const isBack = (before.at(-1)?.[0] ?? 0) > nowMs; // the clock may go backward
  if (isBack)
    return before
      .filter(([lastMs]) => lastMs > afterMs)
      .map(([lastMs, hits]) => [Math.min(lastMs, nowMs), hits]);
  const first = before.findIndex(([lastMs]) => lastMs > afterMs);
  return first < 0 ? [] : before.slice(first);
}

function addHit(slots: Slot[], nowMs: number): void {
  const slotOf = (ms: number) => Math.floor(ms / SLOT_MS);
  const last = slots.at(-1);
  if (last && slotOf(last[0]) === slotOf(nowMs)) slots[slots.length - 1] = [nowMs, last[1] + 1];
  else slots.push([nowMs, 1]);
}

/** Returns the time of the last hit in the oldest slots that must leave to free `places`. */
function lastToLeave(slots: Slot[], places: number): number | undefined {
  let free = 0;
  return slots.find(([, hits]) => (free += hits) >= places)?.[0];
}

/**
 * Returns the verdict that decides a request with several limits: the longest refusal, else the one
 * with the fewest hits left.
 */
export function strictest(verdicts: [Verdict, ...Verdict[]]): Verdict {
  return verdicts.reduce((least, next) => (isStricter(next, least) ? next : least));
}

function isStricter(a: Verdict, b: Verdict): boolean {
  if (a.allowed !== b.allowed) return b.allowed;
  return a.allowed ? a.remaining < b.remaining : a.resetMs > b.resetMs;
}
