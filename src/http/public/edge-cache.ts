import type { HttpContext } from "../http-env.ts";

/** The longest time in which a change of an archive may not show. */
const LIFE_SECONDS = 300;

/** Returns `Cache-Control` for the rest of the present period, so that no cache exceeds it. */
export function publicFor(nowMs: number): string {
  const left = LIFE_SECONDS - (Math.floor(nowMs / 1_000) % LIFE_SECONDS);
  return `public, max-age=${left}, s-maxage=${left}`;
}

/**
 * Answers from the cache of this location, or makes the answer and, if it is 200, stores it there
 * until the period ends. `url` names everything on which the answer depends.
 */
export async function cachedAtEdge(
  c: HttpContext,
  url: string,
  make: () => Promise<Response>,
): Promise<Response> {
  const { deps } = c.var.ctx;
  const period = Math.floor(deps.now() / 1_000 / LIFE_SECONDS);
  const key = `${url}${url.includes("?") ? "&" : "?"}period=${period}`;
  const found = await caches.default.match(key);
  if (found) {
    const headers = new Headers(found.headers);
    headers.set("Cache-Control", publicFor(deps.now()));
    return new Response(found.body, { headers });
  }
  const made = await make();
  if (made.status === 200) deps.waitUntil(caches.default.put(key, made.clone()));
  return made;
}
