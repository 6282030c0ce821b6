import { Hono } from "hono";
import {
  isLogId,
  openEvent,
  trackEvent,
  type TrackingBuffer,
} from "../../services/tracking/index.ts";
import type { Runtime } from "../../deps.ts";
import type { HttpEnv } from "../http-env.ts";
import { readVisitor } from "../middleware/build-context.ts";
import { isPrefetch } from "./prefetch.ts";
import { NO_STORE } from "./no-store.ts";
import type { VisitCap } from "./visit-cap.ts";

/** GIF89a of one transparent pixel (43 bytes). */
const PIXEL = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="),
  (character) => character.charCodeAt(0),
);

const HEADERS = new Headers({
  ...NO_STORE,
  "Content-Type": "image/gif",
  "Content-Length": String(PIXEL.length),
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
});

const SUFFIX = ".gif";

/**
 * Returns the routes of `GET /t/{logId}.gif` (API reference §13.1). Anyone may ask for any id: the
 * answer is always the same and waits for nothing; the record of the open follows.
 */
export function openPixelRoutes(runtime: Runtime, buffer: TrackingBuffer, mayRecord: VisitCap) {
  return new Hono<HttpEnv>().get("/t/:file{[^/]+\\.gif}", async (c) => {
    const logId = c.req.param("file").slice(0, -SUFFIX.length);
    const visitor = await readVisitor(c, runtime);
    if (isLogId(logId) && !isPrefetch(c) && mayRecord(visitor))
      trackEvent(visitor.deps, buffer, openEvent(visitor, logId));
    return new Response(PIXEL, { headers: HEADERS });
  });
}
