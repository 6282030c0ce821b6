import type { HttpContext } from "./http-env.ts";

/** An entity tag in a list (RFC 9110 §8.8.3). */
const TAG = /(?:W\/)?"([^"]*)"/g;
/** The tag of a version as this service writes it. */
const OWN = /^\d{1,16}$/;

/** Gives the answer the entity tag of a version: a number that each change makes greater. */
export function setVersion(c: HttpContext, version: number): void {
  c.header("ETag", `"${version}"`);
}

/**
 * Returns the versions that `If-Match` names; undefined accepts any. A weak tag counts like a
 * strong one, because Cloudflare weakens the tags of answers that it compresses (decision D112). A
 * tag of another form matches nothing.
 */
export function expectedVersions(c: HttpContext): number[] | undefined {
  const header = c.req.header("If-Match");
  if (header === undefined || header.trim() === "*") return undefined;
  const tags = [...header.matchAll(TAG)].map(([, tag = ""]) => tag);
  return tags.filter((tag) => OWN.test(tag)).map(Number);
}
