import { cors } from "hono/cors";

/** How long browsers cache a preflight response: a day, though most browsers cap it lower. */
const PREFLIGHT_LIFE_SECONDS = 86_400;

/** Request headers: for a JSON body, and for the public key where a route needs one. */
const ALLOWED_HEADERS = ["Authorization", "Content-Type"];

/** Response headers that a page must read in order to honor rate limits (API reference §4.1). */
const EXPOSED_HEADERS = [
  "Retry-After",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
];

/**
 * Enables CORS for any site, without credentials. Answers preflights and lets pages read responses,
 * including errors (Fetch standard, "CORS protocol"). Mount it before any handler that may refuse.
 */
export function allowAnyOrigin(method: string) {
  return cors({
    origin: "*",
    allowMethods: [method],
    allowHeaders: ALLOWED_HEADERS,
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_LIFE_SECONDS,
  });
}
