import { cors } from "hono/cors";

/** The life of a preflight's answer: at most a day; most browsers cap it lower. */
const PREFLIGHT_LIFE_SECONDS = 86_400;

/** Headers of a call: those of a JSON body, and the public key where the route needs one. */
const ALLOWED_HEADERS = ["Authorization", "Content-Type"];

/** Headers that a page needs in order to wait as long as it must (API reference §4.1). */
const EXPOSED_HEADERS = [
  "Retry-After",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
];

/**
 * Opens a route to pages of any site, without credentials. It answers preflights and lets pages
 * read the answers, errors too (Fetch standard, "CORS protocol"). It goes before every handler that
 * may refuse.
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
