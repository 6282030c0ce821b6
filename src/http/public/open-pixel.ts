import { Hono } from "hono";
import { isLogId, openEvent, trackEvent } from "../../services/tracking/index.ts";
import type { HttpEnv } from "../http-env.ts";
import { callOf, readVisitor, type HttpCall } from "../middleware/build-context.ts";
import { isPrefetch } from "./prefetch.ts";
import { NO_STORE } from "./no-store.ts";
import type { VisitContext } from "./visit-context.ts";

/** GIF89a with one transparent pixel (43 bytes). */
const PIXEL = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="),
  (character) => character.charCodeAt(0),
);

const ANSWER = {
  headers: new Headers({
    ...NO_STORE,
    "Content-Type": "image/gif",
    "Content-Length": String(PIXEL.length),
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
  }),
};

const SUFFIX = ".gif";

/**
 * Answers `GET /t/{logId}.gif` (API reference §13.1). Ids are not verified: the response is always
 * the same and waits for nothing; the open is recorded afterwards.
 */
export async function answerPixel(
  { runtime, visits, mayRecord }: VisitContext,
  call: HttpCall,
  logId: string,
): Promise<Response> {
  const visitor = await readVisitor(call, runtime);
  if (isLogId(logId) && !isPrefetch(call.request) && mayRecord(visitor))
    trackEvent(visitor.deps, visits, openEvent(visitor, logId));
  return new Response(PIXEL, ANSWER);
}

export function openPixelRoutes(entry: VisitContext) {
  return new Hono<HttpEnv>().get("/t/:file{[^/]+\\.gif}", (c) =>
    answerPixel(entry, callOf(c), c.req.param("file").slice(0, -SUFFIX.length)),
  );
}
