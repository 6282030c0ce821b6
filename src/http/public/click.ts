import { Hono } from "hono";
import { notFound, refusal } from "../../errors.ts";
import {
  clickEvent,
  haveLinksEnded,
  openClickPayload,
  trackEvent,
} from "../../services/tracking/index.ts";
import type { HttpEnv } from "../http-env.ts";
import { callOf, readVisitor, type HttpCall } from "../middleware/build-context.ts";
import { isPrefetch } from "./prefetch.ts";
import { NO_STORE } from "./no-store.ts";
import type { VisitContext } from "./visit-context.ts";

const HEADERS = { ...NO_STORE, "X-Content-Type-Options": "nosniff" };

/**
 * Answers `GET /c/{logId}/{payload}` (API reference §13.2). Redirects only to http and https URLs
 * that this service signed for that mail, and only while its project exists. Waits only for the
 * signature check and, once a minute per project, for KV; the click is recorded afterwards. Throws
 * 400 for any other link, and not_found for a link of a deleted project.
 */
export async function answerClick(
  { runtime, visits, known, mayRecord }: VisitContext,
  call: HttpCall,
  logId: string,
  payload: string,
): Promise<Response> {
  const visitor = await readVisitor(call, runtime);
  const target = await openClickPayload(visitor.deps, logId, payload);
  if (!target.ok) throw refusal("invalid_link", {});
  const location = webAddress(target.url);
  if (await haveLinksEnded(visitor.deps, known, target.projectId)) throw notFound("link");
  if (!isPrefetch(call.request) && mayRecord(visitor))
    trackEvent(visitor.deps, visits, clickEvent(visitor, logId, target));
  return new Response(null, { status: 302, headers: { ...HEADERS, Location: location } });
}

/** Returns the routes of tracked links. */
export function clickRoutes(entry: VisitContext) {
  return new Hono<HttpEnv>().get("/c/:logId/:payload", (c) => {
    const { logId, payload } = c.req.param();
    return answerClick(entry, callOf(c), logId, payload);
  });
}

/** Returns the URL in normalized form (WHATWG URL). Throws 400 for other schemes. */
function webAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw refusal("invalid_link", {});
  return url.href;
}
