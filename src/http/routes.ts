import { zValidator } from "@hono/zod-validator";
import type { Hono } from "hono";
import { z, type ZodType } from "zod";
import type { App } from "../app.ts";
import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { badRequest } from "../errors.ts";
import {
  openProject,
  openSession,
  openWorkspace,
  type AccessRule,
  type Capability,
  type ProjectAccess,
  type SessionAccess,
  type UserActor,
  type WorkspaceRow,
  type WorkspaceRule,
} from "../services/access/index.ts";
import type { LicensedFeature } from "../services/licensing/index.ts";
import { takeHit, type LimitedAction } from "../services/limits/index.ts";
import { credentialOf, requireSameSite } from "./credential.ts";
import type { HttpContext, HttpEnv } from "./http-env.ts";
import { applyVerdict } from "./limit-headers.ts";
import { firstIssue, readJson, type Parsed } from "./read-body.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Largest JSON body unless a route says otherwise (decisions, "Limits"). */
export const MAX_BODY_BYTES = 1_048_576;

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
    input: Input<Body, Query> & Pick<ProjectAccess, "project" | "capabilities" | "reads">,
  ) => Promise<Response>;
}

export interface WorkspaceRoute<Body, Query>
  extends RouteBase<Body, Query>, Omit<WorkspaceRule, "selfId"> {
  /** The path's parameter with the member acted on, where for themselves membership is enough. */
  selfParam?: string;
  /** As of a project's route. */
  reads?: (c: HttpContext, app: App, workspaceId: string, body: Body) => Statement[];
  handler: (
    input: Input<Body, Query> & { actor: UserActor; workspace: WorkspaceRow; reads: unknown[] },
  ) => Promise<Response>;
}

export interface UserRoute<Body, Query> extends RouteBase<Body, Query> {
  /** Reads that ride along with the access check. */
  reads?: (c: HttpContext, app: App, tokenHash: string) => Statement[];
  /** Throws forbidden for people whom the route is not for, before anything is said of the body. */
  mayEnter?: (opened: SessionAccess) => void;
  handler: (
    input: Input<Body, Query> & { actor: UserActor; reads: unknown[] },
  ) => Promise<Response>;
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
    | { kind: "workspace"; capability: Capability; orSelf: boolean }
    | { kind: "user" }
    | { kind: "public" };
  limit: LimitedAction | undefined;
  license: LicensedFeature | undefined;
  /** Pages of any site may call it (any-origin.ts). */
  anyOrigin: boolean;
  mount: (server: Hono<HttpEnv>) => void;
}

/**
 * A route below `/projects/:id`. Order of checks: who, licence, project, role, rate, query, body
 * (decisions, "Authorisation"), with one D1 round trip for who, project, role and the route's own reads.
 */
export function projectRoute<Body = unknown, Query = unknown>(
  route: ProjectRoute<Body, Query>,
): MountedRoute {
  const { doors, capability, limit, license } = route;
  const access = { kind: "project", doors, capability } as const;
  return mounted(route, { access, limit, license }, async (c, parsed) => {
    const { app } = c.var.ctx;
    const projectId = c.req.param("id") ?? "";
    const reads = parsed.ok && route.reads ? route.reads(c, app, projectId, parsed.value) : [];
    const opened = await openProject(app, credentialOf(c), projectId, route, reads);
    const ctx = { ...c.var.ctx, actor: opened.actor };
    if (limit) applyVerdict(c, await takeHit(ctx, projectId, limit));
    const { project, capabilities, reads: results } = opened;
    return (checked) =>
      route.handler({ c, ctx, ...checked, project, capabilities, reads: results });
  });
}

/**
 * A route below `/workspaces/:id`, for people alone. The checks and their order are those of a
 * project's route, without a rate.
 */
export function workspaceRoute<Body = unknown, Query = unknown>(
  route: WorkspaceRoute<Body, Query>,
): MountedRoute {
  const { capability, selfParam, license } = route;
  const access = { kind: "workspace", capability, orSelf: selfParam !== undefined } as const;
  return mounted(route, { access, license }, async (c, parsed) => {
    const { app } = c.var.ctx;
    const workspaceId = c.req.param("id") ?? "";
    const selfId = selfParam === undefined ? undefined : c.req.param(selfParam);
    const reads = parsed.ok && route.reads ? route.reads(c, app, workspaceId, parsed.value) : [];
    const rule = { capability, license, selfId };
    const opened = await openWorkspace(app, credentialOf(c), workspaceId, rule, reads);
    const ctx = { ...c.var.ctx, actor: opened.actor };
    return (checked) => route.handler({ ctx, c, ...checked, ...opened });
  });
}

/** A route that needs a logged-in user and no project. */
export function userRoute<Body = unknown, Query = unknown>(
  route: UserRoute<Body, Query>,
): MountedRoute {
  return mounted(route, { access: { kind: "user" } }, async (c) => {
    const { app } = c.var.ctx;
    const opened = await openSession(
      app,
      credentialOf(c),
      (hash) => route.reads?.(c, app, hash) ?? [],
    );
    route.mayEnter?.(opened);
    const ctx = { ...c.var.ctx, actor: opened.actor };
    return (checked) => route.handler({ c, ctx, ...checked, ...opened });
  });
}

/** A route that nobody needs to be logged in for; unless `anyOrigin`, only for this service's own pages. */
export function publicRoute<Body = unknown, Query = unknown>(
  route: PublicRoute<Body, Query>,
): MountedRoute {
  const { anyOrigin = false, beforeBadBody } = route;
  return mounted(route, { access: { kind: "public" }, anyOrigin }, async (c, parsed) => {
    if (!anyOrigin) requireSameSite(c);
    if (!parsed.ok) await beforeBadBody?.(c);
    return (checked) => route.handler({ c, ctx: c.var.ctx, ...checked });
  });
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
  facts: Pick<MountedRoute, "access"> & Partial<MountedRoute>,
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
  return { limit: undefined, license: undefined, anyOrigin: false, ...facts, method, path, mount };
}
