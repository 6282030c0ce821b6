import type { Deferred } from "../../../../db/schema/index.ts";

/*
 * The recipients of a chunk who wait for another attempt. Under a limit of the server, a chunk
 * comes back as soon as the limit allows a mail. That is earlier than the time at which a recipient
 * whom the server deferred may be tried again. So such recipients have their own times, and stand
 * behind the others.
 */

/** Returns the recipients who may be tried at a time. `waiting` is in the order of `inOrder`. */
export function dueOf(waiting: Deferred[], now: number): Deferred[] {
  const end = waiting.findIndex(({ notBefore = 0 }) => notBefore > now);
  return end === -1 ? waiting : waiting.slice(0, end);
}

/** Adds a recipient behind those who may be tried at a time. */
export function addDue(waiting: Deferred[], one: Deferred, now: number): Deferred[] {
  const due = dueOf(waiting, now);
  return [...due, one, ...waiting.slice(due.length)];
}

/**
 * Sorts the waiting recipients by the time from which they may be tried. Keeps the order of equal
 * times.
 */
export const inOrder = (waiting: Deferred[]): Deferred[] =>
  waiting.toSorted((a, b) => (a.notBefore ?? 0) - (b.notBefore ?? 0));

/** Returns the smallest number of times that the server was asked about any of these recipients. */
export const leastAsked = (waiting: Deferred[]): number =>
  Math.min(...waiting.map(({ asked = 0 }) => asked));

/** Returns the wait until the first of these recipients may be tried, in milliseconds. */
export const waitOfFirst = (waiting: Deferred[], now: number): number =>
  Math.max(0, Math.min(...waiting.map(({ notBefore = 0 }) => notBefore)) - now);

/** Allows an attempt at all of these recipients as soon as their chunk comes back. */
export const withoutTimes = (waiting: Deferred[]): Deferred[] =>
  waiting.map(({ notBefore: _notBefore, ...one }) => one);

/** Forgets how often the server was asked. The cause is fixed, so all attempts start again. */
export const asNew = (waiting: Deferred[]): Deferred[] =>
  withoutTimes(waiting).map(({ asked: _asked, ...one }) => one);
