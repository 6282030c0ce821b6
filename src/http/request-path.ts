import { getPathNoStrict } from "hono/utils/url";

/** A path segment that is a UUID, with or without an extension. */
const UUID_SEGMENT = /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[/.]|$)/gi;

/**
 * Returns the path to match against routes: without a trailing slash, and with UUIDs in lowercase
 * as in the database (RFC 9562 §4: "case insensitive on input").
 */
export function requestPath(request: Request): string {
  const path = getPathNoStrict(request);
  if (!/[A-F]/.test(path)) return path;
  return path.replace(UUID_SEGMENT, (segment) => segment.toLowerCase());
}
