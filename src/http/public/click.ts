import { Hono } from "hono";
import type { Runtime } from "../../deps.ts";
import { badRequest } from "../../errors.ts";
import {
  clickEvent,
  openClickPayload,
  trackEvent,
  type TrackingBuffer,
} from "../../services/tracking/index.ts";
import type { HttpEnv } from "../http-env.ts";
import { readVisitor } from "../middleware/build-context.ts";
import { isPrefetch } from "./prefetch.ts";
import { NO_STORE } from "./no-store.ts";
import type { VisitCap } from "./visit-cap.ts";

const HEADERS = { ...NO_STORE, "X-Content-Type-Options": "nosniff" };

/**
 * Returns the routes of `GET /c/{logId}/{payload}` (API reference §13.2). The route leads only to
 * http and https URLs that this service signed for that mail, so it is no open redirect. The answer
 * waits only for the check of the token; the record of the click follows.
 */
export function clickRoutes(runtime: Runtime, buffer: TrackingBuffer, mayRecord: VisitCap) {
  return new Hono<HttpEnv>().get("/c/:logId/:payload", async (c) => {
    const { logId, payload } = c.req.param();
    const visitor = await readVisitor(c, runtime);
    const target = await openClickPayload(visitor.deps, logId, payload);
    if (!target.ok) throw badRequest("this link is not valid");
    const location = webAddress(target.url);
    if (!isPrefetch(c) && mayRecord(visitor))
      trackEvent(visitor.deps, buffer, clickEvent(visitor, logId, target.url));
    return new Response(null, { status: 302, headers: { ...HEADERS, Location: location } });
  });
}

/**
 * Returns the URL as a browser would ask for it (WHATWG URL). Throws bad_request for other schemes.
 */
function webAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw badRequest("this link is not valid");
  return url.href;
}
