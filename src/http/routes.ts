import { zValidator } from "@hono/zod-validator";
import type { Hono } from "hono";
import { z, type ZodType } from "zod";
import type { Deps } from "../deps.ts";
import type { Actor, Ctx } from "../context.ts";
import {
  authorizeProject,
  authorizeSession,
  authorizeWorkspace,
  type AccessRule,
  type Capability,
  type ProjectAccess,
  type SessionAccess,
  type WorkspaceAccess,
  type WorkspaceRule,
} from "../services/access/index.ts";
import type { LicensedFeature } from "../services/licensing/index.ts";
import { consumeRateLimit, type LimitedAction } from "../services/limits/index.ts";
import { credentialOf, requireSameSite } from "./credential.ts";
import { withoutEmpty } from "./given.ts";
import type { HttpContext, HttpEnv } from "./http-env.ts";
import { refusalOfIssues } from "./issues.ts";
import { applyVerdict } from "./limit-headers.ts";
import {
  MAX_BODY_BYTES,
  noBody,
  receiveJson,
  SMALL_BODY_BYTES,
  type BodyRule,
  type Parsed,
} from "./read-body.ts";
import { orNone, type Reads } from "./route-reads.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The checked input of a handler. `bytes` is the body as it came. */
export interface Input<Body, Query> {
  c: HttpContext;
  ctx: Ctx;
  body: Body;
  query: Query;
  bytes: Uint8Array;
}

interface RouteBase<Body, Query> extends Pick<BodyRule<Body>, "base64At" | "isList"> {
  method: Method;
  path: string;
  /** The schema of the body; without one the route takes no body and ignores any. */
  body?: ZodType<Body>;
  query?: ZodType<Query>;
  maxBodyBytes?: number;
}

export interface ProjectRoute<Body, Query, R extends Reads>
  extends RouteBase<Body, Query>, AccessRule {
  limit?: LimitedAction;
  /** Reads that run with the access check, or after it for a large body; only for a valid body. */
  reads?: (c: HttpContext, deps: Deps, projectId: string, body: Body) => R;
  handler: (input: Input<Body, Query> & Omit<ProjectAccess<R>, "actor">) => Promise<Response>;
}

export interface WorkspaceRoute<Body, Query, R extends Reads>
  extends RouteBase<Body, Query>, Omit<WorkspaceRule, "selfId"> {
  /**
   * The path parameter with the affected member; for the member themselves membership is enough.
   */
  selfParam?: string;
  /** Reads like those of a project's route. */
  reads?: (c: HttpContext, deps: Deps, workspaceId: string, body: Body) => R;
  handler: (input: Input<Body, Query> & WorkspaceAccess<R>) => Promise<Response>;
}

export interface UserRoute<Body, Query, R extends Reads> extends RouteBase<Body, Query> {
  /** Reads that run with the access check. */
  reads?: (c: HttpContext, deps: Deps, tokenHash: string) => R;
  /** Throws forbidden for people who may not use the route, before any fault of the body. */
  mayEnter?: (opened: SessionAccess<R>) => void;
  handler: (input: Input<Body, Query> & SessionAccess<R>) => Promise<Response>;
}

export interface PublicRoute<Body, Query> extends RouteBase<Body, Query> {
  /** True when pages of any site may call it, without credentials. */
  anyOrigin?: true;
  /** Throws the errors that come before an invalid body (API reference §2.9: 404 before 400). */
  beforeBadBody?: (c: HttpContext) => Promise<void>;
  handler: (input: Input<Body, Query>) => Promise<Response>;
}

/** A route as the table of all routes lists it, with its mount on the server. */
export interface MountedRoute {
  method: Method;
  path: string;
  access:
    | { kind: "project"; auth: AccessRule["auth"]; capability: Capability }
    | { kind: "workspace"; capability: Capability; orSelf: boolean }
    | { kind: "user" }
    | { kind: "public" };
  limit: LimitedAction | undefined;
  license: LicensedFeature | undefined;
  hasBody: boolean;
  /** True when pages of any site may call it (any-origin.ts). */
  anyOrigin: boolean;
  mount: (server: Hono<HttpEnv>) => void;
}

const contextOf = (c: HttpContext, { actor }: { actor: Actor }): Ctx => ({ ...c.var.ctx, actor });

/**
 * Defines a route below `/projects/:id`. Order of checks: credential, licence, project, role, rate,
 * query, body (API reference §2.9), with one D1 round trip for credential, project, role and the
 * route's own reads. A large body may take a minute to arrive. The round trip of the route's reads
 * therefore checks credential, licence, project and role again after it.
 */
export function projectRoute<Body = unknown, Query = unknown, const R extends Reads = []>(
  route: ProjectRoute<Body, Query, R>,
): MountedRoute {
  const { auth, capability, limit, license } = route;
  const access = { kind: "project", auth, capability } as const;
  return mounted(route, { access, limit, license }, async (c, early) => {
    const { deps } = c.var.ctx;
    const id = c.req.param("id") ?? "";
    const enter = <T extends Reads>(reads: T) =>
      authorizeProject(deps, credentialOf(c), id, route, reads);
    const enterWith = (body: Body) => enter(orNone(route.reads?.(c, deps, id, body)));
    const withReads = early?.ok ? await enterWith(early.value) : undefined;
    const opened = withReads ?? (await enter([]));
    if (limit) applyVerdict(c, await consumeRateLimit(contextOf(c, opened), id, limit));
    return async (checked) => {
      const entered = withReads ?? (await enterWith(checked.body));
      return route.handler({ ...entered, c, ctx: contextOf(c, entered), ...checked });
    };
  });
}

/**
 * Defines a route below `/workspaces/:id`, for people alone. The checks and their order are those
 * of a project's route, without a rate.
 */
export function workspaceRoute<Body = unknown, Query = unknown, const R extends Reads = []>(
  route: WorkspaceRoute<Body, Query, R>,
): MountedRoute {
  const { capability, selfParam, license } = route;
  const access = { kind: "workspace", capability, orSelf: selfParam !== undefined } as const;
  return mounted(route, { access, license }, async (c, early) => {
    const { deps } = c.var.ctx;
    const id = c.req.param("id") ?? "";
    const selfId = selfParam === undefined ? undefined : c.req.param(selfParam);
    const rule = { capability, license, selfId };
    const enter = <T extends Reads>(reads: T) =>
      authorizeWorkspace(deps, credentialOf(c), id, rule, reads);
    const enterWith = (body: Body) => enter(orNone(route.reads?.(c, deps, id, body)));
    const withReads = early?.ok ? await enterWith(early.value) : undefined;
    if (!withReads) await enter([]);
    return async (checked) => {
      const entered = withReads ?? (await enterWith(checked.body));
      return route.handler({ ...entered, c, ctx: contextOf(c, entered), ...checked });
    };
  });
}

/** Defines a route that needs a logged-in user and no project. */
export function userRoute<Body = unknown, Query = unknown, const R extends Reads = []>(
  route: UserRoute<Body, Query, R>,
): MountedRoute {
  return mounted(route, { access: { kind: "user" } }, async (c, early) => {
    const { deps } = c.var.ctx;
    const enter = async () => {
      const reads = (tokenHash: string) => orNone(route.reads?.(c, deps, tokenHash));
      const entered = await authorizeSession(deps, credentialOf(c), reads);
      route.mayEnter?.(entered);
      return entered;
    };
    const opened = await enter();
    return async (checked) => {
      const entered = early ? opened : await enter();
      return route.handler({ ...entered, c, ctx: contextOf(c, entered), ...checked });
    };
  });
}

/**
 * Defines a route without a login; unless `anyOrigin`, only for this service's own pages. The
 * caller is unknown, so the body must be a small one.
 */
export function publicRoute<Body = unknown, Query = unknown>(
  route: PublicRoute<Body, Query>,
): MountedRoute {
  const { anyOrigin = false, beforeBadBody } = route;
  const small = { ...route, maxBodyBytes: SMALL_BODY_BYTES };
  return mounted(small, { access: { kind: "public" }, anyOrigin }, async (c, early) => {
    if (!anyOrigin) requireSameSite(c);
    if (!early?.ok) await beforeBadBody?.(c);
    return (checked) => route.handler({ c, ctx: c.var.ctx, ...checked });
  });
}

interface Checked<Body, Query> {
  body: Body;
  query: Query;
  bytes: Uint8Array;
}

/**
 * Admits the caller or throws; returns the work that remains once query and body are valid. `early`
 * is a small body; a large one is still unread.
 */
type Open<Body, Query> = (
  c: HttpContext,
  early: Parsed<Body> | undefined,
) => Promise<(checked: Checked<Body, Query>) => Promise<Response>>;

function mounted<Body, Query>(
  route: RouteBase<Body, Query>,
  facts: Pick<MountedRoute, "access"> & Partial<MountedRoute>,
  open: Open<Body, Query>,
): MountedRoute {
  const { method, path, body: schema, maxBodyBytes: maxBytes = MAX_BODY_BYTES } = route;
  const rule = schema && { ...route, schema, maxBytes };
  const querySchema = z.preprocess(withoutEmpty, route.query ?? z.unknown());
  const checkQuery = zValidator("query", querySchema, (result) => {
    if (!result.success) throw refusalOfIssues(result.error.issues);
  });
  const mount = (server: Hono<HttpEnv>) => {
    server.on(
      method,
      path,
      async (c, next) => {
        const incoming = rule ? await receiveJson(c, rule) : noBody<Body>();
        try {
          const proceed = await open(c, incoming.early);
          if (facts.access.kind !== "public") c.set("isAdmitted", true);
          c.set("proceed", async (query) => {
            const parsed = await incoming.finish();
            if (!parsed.ok) throw parsed.error;
            // `checkQuery` made it with the route's schema; without one no handler uses it.
            return proceed({ body: parsed.value, bytes: parsed.bytes, query: query as Query });
          });
          await next();
        } finally {
          incoming.end();
        }
      },
      checkQuery,
      (c) => c.var.proceed(c.req.valid("query")),
    );
  };
  const hasBody = schema !== undefined;
  const none = { limit: undefined, license: undefined, anyOrigin: false };
  return { ...none, ...facts, method, path, hasBody, mount };
}
