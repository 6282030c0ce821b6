/*
 * Limits inferred from the server's rejections: the number of open connections, or half of the
 * rate. A limit then grows every minute until it no longer matters.
 */

import type { LearnedFact } from "./rate-types.ts";
import { cutText } from "../cut-text.ts";

const MINUTE_MS = 60_000;

/**
 * Rejections within this time count once, because simultaneous connections are refused together.
 */
const SAME_SIGN_MS = 10_000;

/** A learned limit recovers in about this many minutes, if growing by one a minute is slower. */
const STEPS_TO_FULL = 20;

/** Maximum length of a stored reason, in characters. */
const REASON_CHARACTERS = 200;

/** A learned limit, when it was learned, and the server's reason. */
export interface Learned {
  /** The limit right after the refusal. */
  halved: number;
  /** Growth per minute. */
  step: number;
  /** The value at which the limit is dropped. */
  enough: number;
  atMs: number;
  why: string;
}

/** Returns the current learned limit, or undefined once it is dropped. */
export function learnedNow(learned: Learned | undefined, now: number): number | undefined {
  if (!learned) return undefined;
  const minutes = Math.max(0, Math.floor((now - learned.atMs) / MINUTE_MS));
  const limit = learned.halved + minutes * learned.step;
  return limit >= learned.enough ? undefined : limit;
}

/**
 * Learns a connection limit: the number `open` when the server refused another one, or half of the
 * current limit if unknown. `most` is the configured limit. Grows by one per minute.
 */
export function learnConnections(
  before: Learned | undefined,
  { most, open }: { most: number; open: number | undefined },
  why: string,
  now: number,
): Learned {
  const current = Math.min(learnedNow(before, now) ?? most, most);
  if (before && isSameSign(before, now)) {
    const fewer = Math.max(1, Math.min(before.halved, open ?? before.halved));
    return { ...before, halved: fewer };
  }
  const limit = open === undefined ? Math.floor(current / 2) : Math.min(open, current - 1);
  return learn(limit, { step: 1, enough: most }, why, now);
}

/**
 * Halves the rate: `inUse` is the number of mails in the last minute. The rate grows per minute by
 * a twentieth of the refused rate, at least by one, and is dropped at twice the refused rate.
 */
export function learnRate(
  before: Learned | undefined,
  inUse: number,
  why: string,
  now: number,
): Learned {
  const current = Math.max(1, Math.min(learnedNow(before, now) ?? inUse, inUse));
  const step = Math.max(1, Math.ceil(current / STEPS_TO_FULL));
  if (before && isSameSign(before, now)) return before;
  return learn(Math.floor(current / 2), { step, enough: 2 * current }, why, now);
}

const isSameSign = ({ atMs }: Learned, now: number) => now - atMs < SAME_SIGN_MS;

function learn(
  limit: number,
  growth: Pick<Learned, "step" | "enough">,
  why: string,
  now: number,
): Learned {
  const reason = cutText(why, REASON_CHARACTERS);
  return { halved: Math.max(1, limit), ...growth, atMs: now, why: reason };
}

/** Returns a learned limit as callers see it; null once it is dropped. */
export function factOf(learned: Learned | undefined, now: number): LearnedFact | null {
  const limit = learnedNow(learned, now);
  return learned && limit !== undefined ? { limit, atMs: learned.atMs, why: learned.why } : null;
}
