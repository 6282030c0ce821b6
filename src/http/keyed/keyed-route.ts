import type { SQL } from "drizzle-orm";
import type { Hono } from "hono";
import type { ZodType } from "zod";
import type { App } from "../../app.ts";
import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { badRequest } from "../../errors.ts";
import { openKeyed, type KeyedRule, type ProjectRow } from "../../services/access/index.ts";
import { takeHit, takeReadHit, type LimitedAction } from "../../services/limits/index.ts";
import { bearerOf } from "../credential.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { applyVerdict } from "../limit-headers.ts";
import { firstIssue, readJson, type Parsed } from "../read-body.ts";
import { MAX_BODY_BYTES } from "../routes.ts";

/** A route of the key-based API. Its input is the query of a GET and the JSON body of a POST. */
interface KeyedRoute<Input> extends KeyedRule {
  method: "GET" | "POST";
  path: string;
  limit: LimitedAction;
  /** Pages of any site may call it. */
  anyOrigin?: true;
  input: ZodType<Input>;
  /** Reads that ride along with the access check; asked only for an input that is valid. */
  reads?: (c: HttpContext, app: App, projectId: SQL, input: Input) => Statement[];
  handler: (checked: {
    c: HttpContext;
    ctx: Ctx;
    project: ProjectRow;
    reads: unknown[];
    input: Input;
    /** The body as it came. */
    text: string;
  }) => Promise<Response>;
}

/** A route as the table of the key-based API tells it, and how it gets into the server. */
export interface MountedKeyedRoute extends KeyedRule {
  method: "GET" | "POST";
  path: string;
  limit: LimitedAction;
  anyOrigin: boolean;
  mount: (server: Hono<HttpEnv>) => void;
}

/**
 * A route of the key-based API. Order of checks: who, which kind of key, its capability, rate, input, with one D1
 * round trip for the key, its project and the route's own reads. A limiter that cannot be asked
 * stops what writes.
 */
export function keyedRoute<Input>(route: KeyedRoute<Input>): MountedKeyedRoute {
  const { method, path, door, capability, limit, anyOrigin = false } = route;
  const take = method === "GET" ? takeReadHit : takeHit;
  const mount = (server: Hono<HttpEnv>) => {
    server.on(method, path, async (c) => {
      const { app } = c.var.ctx;
      const parsed = await readInput(c, route);
      const { actor, project, reads } = await openKeyed(app, bearerOf(c), route, (projectId) =>
        parsed.ok && route.reads ? route.reads(c, app, projectId, parsed.value) : [],
      );
      const ctx = { ...c.var.ctx, actor };
      const verdict = await take(ctx, project.id, limit);
      if (verdict) applyVerdict(c, verdict);
      if (!parsed.ok) throw parsed.error;
      return route.handler({ c, ctx, project, reads, input: parsed.value, text: parsed.text });
    });
  };
  return { method, path, door, capability, limit, anyOrigin, mount };
}

/** What is wrong with the input is told only after the access checks. */
async function readInput<Input>(
  c: HttpContext,
  { method, input }: KeyedRoute<Input>,
): Promise<Parsed<Input>> {
  if (method === "POST") return readJson(c, input, MAX_BODY_BYTES);
  const result = input.safeParse(c.req.query());
  return result.success
    ? { ok: true, value: result.data, text: "" }
    : { ok: false, error: badRequest(firstIssue(result.error.issues)) };
}
