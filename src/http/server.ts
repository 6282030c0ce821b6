import { Hono, type ErrorHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Bindings } from "../config.ts";
import type { Runtime } from "../deps.ts";
import { allowedMethodsOf, refusalOfRoute, type FindAllowed } from "./allowed-methods.ts";
import { allowAnyOrigin } from "./any-origin.ts";
import { FORM_BODY } from "./form-body.ts";
import type { HttpEnv } from "./http-env.ts";
import { isKeyedPath, mountKeyed } from "./keyed/index.ts";
import { DOCUMENT_PATH } from "./openapi/openapi-route.ts";
import { buildContext } from "./middleware/build-context.ts";
import { knownProjects } from "../services/tracking/index.ts";
import { createIpLimits } from "./middleware/limit-by-ip.ts";
import { archiveRoutes } from "./public/archive.ts";
import { clickRoutes } from "./public/click.ts";
import { confirmRoutes } from "./public/confirm.ts";
import { authHookRoutes } from "./public/auth-hooks.ts";
import { answerForms } from "./public/form-answers.ts";
import { answerDashboard } from "./public/dashboard.ts";
import { formRoutes } from "./public/forms/forms.ts";
import { answerImageUrl, imageFileRoutes } from "./public/images.ts";
import { healthRoutes } from "./public/health.ts";
import { answerMailedPath } from "./public/mailed-path.ts";
import { openPixelRoutes } from "./public/open-pixel.ts";
import { preferenceRoutes } from "./public/preferences.ts";
import { unsubscribeRoutes } from "./public/unsubscribe.ts";
import { viewRoutes } from "./public/view.ts";
import { createVisitCap } from "./public/visit-cap.ts";
import type { VisitContext } from "./public/visit-context.ts";
import { renderKeyedError, renderProjectError } from "./render-errors.ts";
import { requestPath } from "./request-path.ts";
import { renderDoorError } from "./resend/errors.ts";
import { isDoorPath, mountDoor } from "./resend/index.ts";
import { ALL_ROUTES, API_ROUTES, ROOT_ROUTES } from "./routes.ts";

/** Paths of the tracking server. The main server also serves them, for other spellings. */
const TRACKED = /^https?:\/\/[^/]+\/[tc]\//;

/**
 * Creates the server of pixels and links. They receive thousands of requests, so it matches no
 * other route and runs no middleware.
 */
function createTrackingServer(entry: VisitContext, findAllowed: FindAllowed): Hono<HttpEnv> {
  const tracking = new Hono<HttpEnv>({ getPath: requestPath });
  tracking.route("/", openPixelRoutes(entry));
  tracking.route("/", clickRoutes(entry));
  const answerError: ErrorHandler<HttpEnv> = (error, c) => {
    c.header("X-Content-Type-Options", "nosniff");
    return renderProjectError(error, c);
  };
  tracking.notFound((c) => answerError(refusalOfRoute(c.req.method, findAllowed(c.req.path)), c));
  tracking.onError(answerError);
  return tracking;
}

/**
 * Headers of every response (Fetch standard, "nosniff" and others); a response's own headers win.
 * HSTS is up to the owner of the domain, because it would affect all subdomains.
 */
const SECURE_HEADERS = { overwrite: false, strictTransportSecurity: false } as const;

const answerError: ErrorHandler<HttpEnv> = (error, c) => {
  if (isDoorPath(c.req.path)) return renderDoorError(error, c);
  return isKeyedPath(c.req.path) ? renderKeyedError(error, c) : renderProjectError(error, c);
};

export function createServer(runtime: Runtime): Hono<HttpEnv> {
  const limitByIp = createIpLimits();
  const cap = limitByIp({ buckets: ["all"] });

  const api = new Hono<HttpEnv>();
  const waitlistLimit = limitByIp({ buckets: ["all", "waitlist"] });
  api.use("/projects/:id/waitlist", waitlistLimit);
  api.use(cap);
  for (const route of API_ROUTES) route.mount(api);

  const keyed = new Hono<HttpEnv>();
  mountKeyed(keyed, limitByIp);

  const findAllowed: FindAllowed = (path) => allowed(path);
  const mayRecord = createVisitCap();
  const entry: VisitContext = { runtime, visits: [], known: knownProjects(), mayRecord };
  const tracking = createTrackingServer(entry, findAllowed);
  const server = new Hono<HttpEnv>({ getPath: requestPath });
  server.use(secureHeaders(SECURE_HEADERS));
  server.use("/api/v1/*", async (c, next) => {
    await next();
    if (c.req.path === `/api/v1${DOCUMENT_PATH}` && c.res.status < 400) return;
    // Responses, including errors, contain mails, personal data and keys, unless a route says how long
    // its own may be kept. `c.header` would copy the response.
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "no-store");
  });
  for (const { path, method, anyOrigin } of ALL_ROUTES)
    if (anyOrigin) server.use(path, allowAnyOrigin(method));
  server.use("/health", allowAnyOrigin("GET"));
  server.use("/f/:form", allowAnyOrigin("POST"));
  server.use(buildContext(runtime));
  for (const { path, bodyTypes } of ALL_ROUTES)
    if (bodyTypes === FORM_BODY) server.use(path, answerForms);
  mountDoor(server, cap, (...call) => server.fetch(...call));
  // Excludes /t/*, /c/* and /unsubscribe/*, because many recipients share the address of a mail
  // proxy. These have their own cap, which never refuses (visit-cap.ts).
  for (const path of ["/health", "/version", "/webhooks/bounces/*", "/hooks/*", "/archive/*"])
    server.use(path, cap);
  server.route("/api/v1", keyed);
  server.route("/api/v1", api);
  server.route("/", healthRoutes);
  server.route("/", imageFileRoutes);
  server.route("/", tracking);
  server.route("/", unsubscribeRoutes(mayRecord));
  server.route("/", preferenceRoutes());
  server.route("/", viewRoutes());
  server.route("/", archiveRoutes());
  server.route("/", confirmRoutes());
  server.route("/", formRoutes(limitByIp));
  server.route("/", authHookRoutes());
  for (const route of ROOT_ROUTES) route.mount(server);
  server.notFound(
    async (c) =>
      (await answerDashboard(c)) ??
      answerError(refusalOfRoute(c.req.method, findAllowed(c.req.path)), c),
  );
  server.onError(answerError);
  const allowed = allowedMethodsOf(server.routes);
  const answer = server.fetch;
  server.fetch = (request, ...rest) => {
    const [env, executionCtx] = rest;
    const call = executionCtx && { request, env: env as Bindings, executionCtx }; // the same object, from the runtime
    if (!TRACKED.test(request.url)) {
      // As for tracked paths, the router refuses again and renders the error.
      const image = call && answerImageUrl(call);
      return image ? image.catch(() => answer(request, ...rest)) : answer(request, ...rest);
    }
    const direct = call && answerMailedPath(entry, call);
    const byRoute = () => tracking.fetch(request, ...rest);
    // If the direct path refuses a visit, the router refuses it again and renders the error.
    return direct ? direct.catch(byRoute) : byRoute();
  };
  return server;
}
