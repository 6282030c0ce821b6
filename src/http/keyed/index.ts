/*
 * The key-based API (API reference §17): a second entry point to the services. It has its own
 * envelope and shares the routes of topics, segments and drafts with the project-scoped API.
 */
import type { Hono } from "hono";
import type { HttpEnv } from "../http-env.ts";
import type { createIpLimits } from "../middleware/limit-by-ip.ts";
import type { Route } from "../route/declaration.ts";
import { broadcastControlRoutes } from "../project/broadcast-control.ts";
import { broadcastDraftRoutes } from "../project/broadcast-drafts.ts";
import { broadcastAbTestRoutes } from "../project/broadcast-ab-test.ts";
import { preflightRoutes } from "../project/preflight.ts";
import { segmentRoutes } from "../project/segments.ts";
import { topicRoutes } from "../project/topics.ts";
import { broadcastProgressRoute } from "./broadcast-progress.ts";
import { broadcastRoute } from "./broadcast.ts";
import { consentRoutes } from "./consents.ts";
import { joinRoute } from "./join.ts";
import { sendRoute } from "./send.ts";
import { listRoute } from "./subscribers.ts";
import { trackRoute } from "./track.ts";

/** All routes of this API, below `/api/v1`; contract tests iterate over it. */
export const KEYED_ROUTES: Route[] = [
  joinRoute,
  listRoute,
  sendRoute,
  broadcastRoute,
  broadcastProgressRoute,
  trackRoute,
  ...broadcastControlRoutes("keyed"),
  ...broadcastDraftRoutes("keyed"),
  ...broadcastAbTestRoutes("keyed"),
  ...preflightRoutes("keyed"),
  ...topicRoutes("keyed"),
  ...consentRoutes,
  ...segmentRoutes("keyed"),
];

/** Mounts the API in its own sub-app. */
export function mountKeyed(
  deps: Hono<HttpEnv>,
  limitByIp: ReturnType<typeof createIpLimits>,
): void {
  const cap = limitByIp({ buckets: ["all"] });
  for (const path of new Set(KEYED_ROUTES.map((route) => route.path))) deps.use(path, cap);
  for (const { mount } of KEYED_ROUTES) mount(deps);
}

/** Returns true if a request that failed outside the sub-app belongs to this API. */
export function isKeyedPath(path: string): boolean {
  const asked = path.split("/");
  return KEYED_ROUTES.some((route) => isOf(asked, `/api/v1${route.path}`.split("/")));
}

/**
 * Matches the segments of a path against a route's; a segment that begins with a colon matches any
 * text.
 */
function isOf(asked: string[], route: string[]): boolean {
  const isSame = (part: string, at: number) => part.startsWith(":") || part === asked[at];
  return asked.length === route.length && route.every(isSame);
}
