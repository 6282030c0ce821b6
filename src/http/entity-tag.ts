import { changedMeanwhile } from "../errors.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { HttpContext } from "./http-env.ts";

/** An entity tag in a list (RFC 9110 §8.8.3). */
const TAG = /(?:W\/)?"([^"]*)"/g;
/** The tag of a version as this service writes it. */
const OWN = /^\d{1,16}$/;
/** The hexadecimal digits in the tag of a state. */
const STATE_DIGITS = 32;

/** Gives the answer the entity tag of a version: a number that each change makes greater. */
export function setVersion(c: HttpContext, version: number): void {
  c.header("ETag", `"${version}"`);
}

/** Gives the answer the entity tag of a state: the fields that callers change (decision D38). */
export function setState(c: HttpContext, state: unknown): void {
  c.header("ETag", `"${tagOf(state)}"`);
}

const tagOf = (state: unknown) => sha256Hex(JSON.stringify(state)).slice(0, STATE_DIGITS);

/**
 * Returns the tags that `If-Match` names; undefined accepts any. A weak tag counts like a strong
 * one, because Cloudflare weakens the tags of answers that it compresses (decision D38).
 */
export function expectedTags(c: HttpContext): string[] | undefined {
  const header = c.req.header("If-Match");
  if (header === undefined || header.trim() === "*") return undefined;
  return [...header.matchAll(TAG)].map(([, tag = ""]) => tag);
}

/**
 * Returns the versions that `If-Match` names; undefined accepts any. A tag of another form matches
 * nothing.
 */
export function expectedVersions(c: HttpContext): number[] | undefined {
  return expectedTags(c)
    ?.filter((tag) => OWN.test(tag))
    .map(Number);
}

/**
 * Returns a thing, as the request read it, if `If-Match` names the tag of its state; the write then
 * requires this state. Undefined accepts any. Throws precondition_failed for another tag.
 */
export function expectedState<Thing>(
  c: HttpContext,
  what: string,
  known: Thing | undefined,
  stateOf: (known: Thing) => unknown,
): Thing | undefined {
  const tags = expectedTags(c);
  if (tags === undefined || known === undefined) return undefined;
  if (!tags.includes(tagOf(stateOf(known)))) throw changedMeanwhile(what);
  return known;
}
