/*
 * Limits that the server taught by its refusals: the connections that were open, or half of the rate.
 * Then the limit grows again each minute until it no longer matters.
 */

import type { LearnedFact } from "./permit-messages.ts";
import { cutText } from "../cut-text.ts";

const MINUTE_MS = 60_000;

/**
 * Refusals within this time are one sign: the connections that were open together are refused
 * together.
 */
const SAME_SIGN_MS = 10_000;

/** A learned limit grows back in about this number of minutes, if one a minute is too slow. */
const STEPS_TO_FULL = 20;

/** The longest reason that is kept, in characters. */
const REASON_CHARACTERS = 200;

/** A limit that was learned at a time, and the reason that the server gave. */
export interface Learned {
  /** The limit right after the refusal. */
  halved: number;
  /** The growth a minute. */
  step: number;
  /** The value at which the limit is forgotten. */
  enough: number;
  atMs: number;
  why: string;
}

/** Returns the learned limit at a time, or undefined when it is forgotten. */
export function learnedNow(learned: Learned | undefined, now: number): number | undefined {
  if (!learned) return undefined;
  const minutes = Math.max(0, Math.floor((now - learned.atMs) / MINUTE_MS));
  const limit = learned.halved + minutes * learned.step;
  return limit >= learned.enough ? undefined : limit;
}

/**
 * Learns a limit of the connections: those that were `open` when the server refused another one, or
 * half of the present limit if nobody knows. `most` is the limit without the refusal. It grows by
 * one a minute.
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
 * Halves the rate: `inUse` is the number of mails of the last minute. The rate grows by a twentieth
 * of the refused one a minute, at least by one, and is forgotten at twice the refused rate.
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

/** Returns a learned limit as callers see it; null when it is forgotten. */
export function factOf(learned: Learned | undefined, now: number): LearnedFact | null {
  const limit = learnedNow(learned, now);
  return learned && limit !== undefined ? { limit, atMs: learned.atMs, why: learned.why } : null;
}
