import { changedMeanwhile } from "../errors.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { HttpContext } from "./http-env.ts";

/** An entity tag in a list (RFC 9110 §8.8.3). */
const TAG = /(?:W\/)?"([^"]*)"/g;
/** The tag of a version, as this service writes it. */
const OWN = /^\d{1,16}$/;
/** Number of hexadecimal digits in the tag of a state. */
const STATE_DIGITS = 32;

/** Sets the ETag to a version: a number that increases with each change. */
export function setVersion(c: HttpContext, version: number): void {
  c.header("ETag", `"${version}"`);
}

/** Sets the ETag to a hash of the state: the fields that callers can change (decision D38). */
export function setState(c: HttpContext, state: unknown): void {
  c.header("ETag", `"${tagOf(state)}"`);
}

const tagOf = (state: unknown) => sha256Hex(JSON.stringify(state)).slice(0, STATE_DIGITS);

/**
 * Returns the tags in `If-Match`; undefined accepts any. Weak tags match like strong ones, because
 * Cloudflare weakens the tags of responses that it compresses (decision D38).
 */
export function expectedTags(c: HttpContext): string[] | undefined {
  const header = c.req.header("If-Match");
  if (header === undefined || header.trim() === "*") return undefined;
  return [...header.matchAll(TAG)].map(([, tag = ""]) => tag);
}

/** Returns the versions in `If-Match`; undefined accepts any. A malformed tag matches nothing. */
export function expectedVersions(c: HttpContext): number[] | undefined {
  return expectedTags(c)
    ?.filter((tag) => OWN.test(tag))
    .map(Number);
}

/**
 * Returns the resource, as read by this request, if `If-Match` names the tag of its state; the
 * write then requires this state. Undefined accepts any. Throws precondition_failed for another
 * tag.
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
