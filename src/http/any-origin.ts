import { cors } from "hono/cors";

/** Browsers ask again after a day at most; most cap it lower by themselves. */
const PREFLIGHT_LIFE_SECONDS = 86_400;

/** What a call carries: a JSON body, and the public key where one is asked for. */
const ALLOWED_HEADERS = ["Authorization", "Content-Type"];

/** What a page needs to wait as long as it is told (API reference §4.1). */
const EXPOSED_HEADERS = [
  "Retry-After",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
];

/**
 * Opens a route to pages of any site, without credentials: answers preflights and lets pages read
 * the answers, errors too (Fetch standard, "CORS protocol"). It goes before everything that may refuse.
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
