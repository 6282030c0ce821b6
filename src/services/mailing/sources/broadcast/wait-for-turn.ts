import type { Deferred } from "../../../../db/schema/index.ts";

/*
 * The recipients of a chunk who wait for another attempt. Under a limit of the server a chunk comes
 * back as soon as the limit lets a mail go, which is earlier than a recipient whom the server
 * deferred may be tried again. So these have a time of their own, and stand behind the others.
 */

/** Returns those who may be tried at a time. `waiting` has the order of `inOrder`. */
export function dueOf(waiting: Deferred[], now: number): Deferred[] {
  const end = waiting.findIndex(({ notBefore = 0 }) => notBefore > now);
  return end === -1 ? waiting : waiting.slice(0, end);
}

/** Adds somebody behind those who may be tried at a time. */
export function addDue(waiting: Deferred[], one: Deferred, now: number): Deferred[] {
  const due = dueOf(waiting, now);
  return [...due, one, ...waiting.slice(due.length)];
}

/** Sorts those who wait by the time from which they may be tried. Keeps the order of the others. */
export const inOrder = (waiting: Deferred[]): Deferred[] =>
  waiting.toSorted((a, b) => (a.notBefore ?? 0) - (b.notBefore ?? 0));

/** Returns the least number of times that the server was asked about one of them. */
export const leastAsked = (waiting: Deferred[]): number =>
  Math.min(...waiting.map(({ asked = 0 }) => asked));

/** Returns how long to wait until one of them may be tried, in milliseconds. */
export const waitOfFirst = (waiting: Deferred[], now: number): number =>
  Math.max(0, Math.min(...waiting.map(({ notBefore = 0 }) => notBefore)) - now);

/** Lets all of them be tried as soon as their chunk comes back. */
export const withoutTimes = (waiting: Deferred[]): Deferred[] =>
  waiting.map(({ notBefore: _notBefore, ...one }) => one);

/** Forgets how often the server was asked: the cause is mended, and all attempts are new. */
export const asNew = (waiting: Deferred[]): Deferred[] =>
  withoutTimes(waiting).map(({ asked: _asked, ...one }) => one);
