import { Hono } from "hono";
import type { Runtime } from "../app.ts";
import { authRoutes } from "./account/auth.ts";
import type { HttpEnv } from "./http-env.ts";
import { buildContext } from "./middleware/build-context.ts";
import { bounceRoutes } from "./project/bounces.ts";
import { broadcastRoutes } from "./project/broadcasts.ts";
import { apiKeyRoutes } from "./project/api-keys.ts";
import { logRoutes } from "./project/logs.ts";
import { projectRoutes } from "./project/projects.ts";
import { sendRoutes } from "./project/send.ts";
import { subscriberRoutes } from "./project/subscribers.ts";
import { suppressionRoutes } from "./project/suppressions.ts";
import { templateRoutes } from "./project/templates.ts";
import { bounceIngestRoutes } from "./public/bounce-ingest.ts";
import { clickRoutes } from "./public/click.ts";
import { healthRoutes } from "./public/health.ts";
import { openPixelRoutes } from "./public/open-pixel.ts";
import { unsubscribeRoutes } from "./public/unsubscribe.ts";
import { waitlistRoutes } from "./public/waitlist.ts";
import { renderProjectError } from "./render-errors.ts";
import type { MountedRoute } from "./routes.ts";

/** The table of all routes below `/api/v1` that answer with `{error}`; contract tests walk it. */
export const API_ROUTES: MountedRoute[] = [
  ...authRoutes,
  ...projectRoutes,
  ...templateRoutes,
  ...apiKeyRoutes,
  ...sendRoutes,
  ...broadcastRoutes,
  ...logRoutes,
  ...subscriberRoutes,
  ...waitlistRoutes,
  ...suppressionRoutes,
  ...bounceRoutes,
];

/** The whole HTTP server of one runtime. */
export function createServer(runtime: Runtime): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  for (const route of API_ROUTES) route.mount(api);
  api.onError(renderProjectError);

  const server = new Hono<HttpEnv>();
  server.use(buildContext(runtime));
  server.route("/api/v1", api);
  server.route("/", healthRoutes);
  server.route("/", openPixelRoutes);
  server.route("/", clickRoutes);
  server.route("/", unsubscribeRoutes);
  server.route("/", bounceIngestRoutes);
  server.notFound((c) => c.json({ error: "not found" }, 404));
  server.onError(renderProjectError);
  return server;
}
