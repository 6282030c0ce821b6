import { zValidator } from "@hono/zod-validator";
import type { Hono } from "hono";
import { cors } from "hono/cors";
import { z, type ZodType } from "zod";
import type { App } from "../app.ts";
import type { Actor, Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { badRequest } from "../errors.ts";
import {
  openProject,
  openSession,
  type AccessRule,
  type Capability,
  type ProjectRow,
} from "../services/access/index.ts";
import { takeHit, type LimitedAction } from "../services/limits/index.ts";
import { credentialOf, requireSameSite } from "./credential.ts";
import type { HttpContext, HttpEnv } from "./http-env.ts";
import { applyVerdict } from "./limit-headers.ts";
import { firstIssue, readJson, type Parsed } from "./read-body.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type UserActor = Extract<Actor, { kind: "user" }>;

/** Largest JSON body unless a route says otherwise (decisions, "Limits"). */
const MAX_BODY_BYTES = 1_048_576;

/** Browsers ask again after a day at most; most cap it lower by themselves. */
const PREFLIGHT_LIFE_SECONDS = 86_400;

/** What a handler is given: everything checked. `text` is the body as it came. */
export interface Input<Body, Query> {
  c: HttpContext;
  ctx: Ctx;
  body: Body;
  query: Query;
  text: string;
}

interface RouteBase<Body, Query> {
  method: Method;
  path: string;
  body?: ZodType<Body>;
  query?: ZodType<Query>;
  maxBodyBytes?: number;
}

export interface ProjectRoute<Body, Query> extends RouteBase<Body, Query>, AccessRule {
  limit?: LimitedAction;
  /** Reads that ride along with the access check; asked only for a body that is valid. */
  reads?: (c: HttpContext, app: App, projectId: string, body: Body) => Statement[];
  handler: (
    input: Input<Body, Query> & { project: ProjectRow; reads: unknown[] },
  ) => Promise<Response>;
}

export interface UserRoute<Body, Query> extends RouteBase<Body, Query> {
  handler: (input: Input<Body, Query> & { actor: UserActor }) => Promise<Response>;
}

export interface PublicRoute<Body, Query> extends RouteBase<Body, Query> {
  /** Pages of any site may call it, without credentials. */
  anyOrigin?: true;
  /** Throws what comes before a body that is not valid (decisions, "Authorisation": 404 before 400). */
  beforeBadBody?: (c: HttpContext) => Promise<void>;
  handler: (input: Input<Body, Query>) => Promise<Response>;
}

/** A route as the table of all routes tells it, and how it gets into the server. */
export interface MountedRoute {
  method: Method;
  path: string;
  access:
    | { kind: "project"; doors: AccessRule["doors"]; capability: Capability }
    | { kind: "user" }
    | { kind: "public" };
  limit: LimitedAction | undefined;
  mount: (server: Hono<HttpEnv>) => void;
}

/**
 * A route below `/projects/:id`. Order of checks: who, project, role, rate, query, body (decisions,
 * "Authorisation"), with one D1 round trip for the first three and the route's own reads.
 */
export function projectRoute<Body = unknown, Query = unknown>(
  route: ProjectRoute<Body, Query>,
): MountedRoute {
  const { doors, capability, limit } = route;
  return mounted(route, { kind: "project", doors, capability }, limit, async (c, parsed) => {
    const { app } = c.var.ctx;
    const projectId = c.req.param("id") ?? "";
    const reads = parsed.ok && route.reads ? route.reads(c, app, projectId, parsed.value) : [];
    const access = await openProject(app, credentialOf(c), projectId, route, reads);
    const ctx = { ...c.var.ctx, actor: access.actor };
    if (limit) applyVerdict(c, await takeHit(ctx, projectId, limit));
    const { project, reads: results } = access;
    return (checked) => route.handler({ c, ctx, ...checked, project, reads: results });
  });
}

/** A route that needs a logged-in user and no project. */
export function userRoute<Body = unknown, Query = unknown>(
  route: UserRoute<Body, Query>,
): MountedRoute {
  return mounted(route, { kind: "user" }, undefined, async (c) => {
    const { actor } = await openSession(c.var.ctx.app, credentialOf(c));
    const ctx = { ...c.var.ctx, actor };
    return (checked) => route.handler({ c, ctx, ...checked, actor });
  });
}

/** A route that nobody needs to be logged in for; unless `anyOrigin`, only for this service's own pages. */
export function publicRoute<Body = unknown, Query = unknown>(
  route: PublicRoute<Body, Query>,
): MountedRoute {
  const { anyOrigin = false, beforeBadBody } = route;
  const own = mounted(route, { kind: "public" }, undefined, async (c, parsed) => {
    if (!anyOrigin) requireSameSite(c);
    if (!parsed.ok) await beforeBadBody?.(c);
    return (checked) => route.handler({ c, ctx: c.var.ctx, ...checked });
  });
  return anyOrigin ? { ...own, mount: mountForAnyOrigin(own) } : own;
}

/** Answers preflights, and lets pages read the answers, errors too (Fetch standard, "CORS protocol"). */
function mountForAnyOrigin({ method, path, mount }: MountedRoute): MountedRoute["mount"] {
  return (server) => {
    server.use(path, cors({ origin: "*", allowMethods: [method], maxAge: PREFLIGHT_LIFE_SECONDS }));
    mount(server);
  };
}

interface Checked<Body, Query> {
  body: Body;
  query: Query;
  text: string;
}

/** Lets the caller in, or throws; returns what is to be done once query and body are valid. */
type Open<Body, Query> = (
  c: HttpContext,
  parsed: Parsed<Body>,
) => Promise<(checked: Checked<Body, Query>) => Promise<Response>>;

function mounted<Body, Query>(
  route: RouteBase<Body, Query>,
  access: MountedRoute["access"],
  limit: LimitedAction | undefined,
  open: Open<Body, Query>,
): MountedRoute {
  const { method, path, maxBodyBytes = MAX_BODY_BYTES } = route;
  const bodySchema = route.body ?? (z.unknown() as ZodType<Body>);
  const querySchema = route.query ?? (z.unknown() as ZodType<Query>);
  const checkQuery = zValidator("query", querySchema, (result) => {
    if (!result.success) throw badRequest(firstIssue(result.error.issues));
  });
  const mount = (server: Hono<HttpEnv>) => {
    server.on(
      method,
      path,
      async (c, next) => {
        const parsed = await readJson(c, bodySchema, maxBodyBytes);
        const proceed = await open(c, parsed);
        c.set("proceed", (query) => {
          if (!parsed.ok) throw parsed.error;
          return proceed({ body: parsed.value, text: parsed.text, query: query as Query });
        });
        await next();
      },
      checkQuery,
      (c) => c.var.proceed(c.req.valid("query")),
    );
  };
  return { method, path, access, limit, mount };
}
