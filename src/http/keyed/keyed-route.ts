import type { SQL } from "drizzle-orm";
import type { Hono } from "hono";
import type { ZodType } from "zod";
import type { Deps } from "../../deps.ts";
import type { Ctx } from "../../context.ts";
import type { BatchResults } from "../../db/client.ts";
import { authorizeKey, type KeyedRule, type ProjectRow } from "../../services/access/index.ts";
import {
  consumeRateLimit,
  consumeReadLimit,
  type LimitedAction,
} from "../../services/limits/index.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { bearerOf } from "../credential.ts";
import { givenQuery } from "../given.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { refusalOfIssues } from "../issues.ts";
import { applyVerdict } from "../limit-headers.ts";
import {
  MAX_BODY_BYTES,
  receiveJson,
  SMALL_BODY_BYTES,
  type IncomingBody,
  type Parsed,
} from "../read-body.ts";
import { orNone, type Reads } from "../route-reads.ts";

/** A route of the key-based API. Its input is the query of a GET and the JSON body of a POST. */
interface KeyedRoute<Input, R extends Reads> extends KeyedRule {
  method: "GET" | "POST";
  path: string;
  limit: LimitedAction;
  /**
   * Counts valid calls alone, on a route whose key is no secret, so a caller with bad bodies uses
   * up nobody else's rate. The route takes small bodies only, and their refusal costs nothing.
   */
  takeValid?: (c: HttpContext, ctx: Ctx, projectId: string) => Promise<Verdict>;
  /** True when pages of any site may call it. */
  anyOrigin?: true;
  input: ZodType<Input>;
  /** Reads that run with the access check, only for a valid input. */
  reads?: (c: HttpContext, deps: Deps, projectId: SQL, input: Input) => R;
  handler: (checked: {
    c: HttpContext;
    ctx: Ctx;
    project: ProjectRow;
    reads: BatchResults<R>;
    input: Input;
    /** The body as it came. */
    bytes: Uint8Array;
  }) => Promise<Response>;
}

/** A route as the table of the key-based API lists it, with its mount on the server. */
export interface MountedKeyedRoute extends KeyedRule {
  method: "GET" | "POST";
  path: string;
  limit: LimitedAction;
  anyOrigin: boolean;
  mount: (server: Hono<HttpEnv>) => void;
}

/**
 * Defines a route of the key-based API. Order of checks: credential, kind of key, capability, rate,
 * input; with `takeValid` input comes before rate. One D1 round trip reads the key, its project and
 * the route's own reads. After a large body the round trip of those reads checks the key again. A
 * limiter that does not answer stops writes.
 */
export function keyedRoute<Input, const R extends Reads = []>(
  route: KeyedRoute<Input, R>,
): MountedKeyedRoute {
  const { method, path, auth, capability, limit, takeValid, anyOrigin = false } = route;
  const take = method === "GET" ? consumeReadLimit : consumeRateLimit;
  const answer = async (c: HttpContext, { early, finish }: IncomingBody<Input>) => {
    const { deps } = c.var.ctx;
    const enter = <T extends Reads>(reads: (projectId: SQL) => T) =>
      authorizeKey(deps, bearerOf(c), route, reads);
    const enterWith = (given: Input) =>
      enter((projectId) => orNone(route.reads?.(c, deps, projectId, given)));
    const withReads = early?.ok ? await enterWith(early.value) : undefined;
    const opened = withReads ?? (await enter(() => []));
    c.set("isAdmitted", true);
    const caller = { ...c.var.ctx, actor: opened.actor };
    const verdict = takeValid ? undefined : await take(caller, opened.project.id, limit);
    if (verdict) applyVerdict(c, verdict);
    const parsed = await finish();
    if (!parsed.ok) throw parsed.error;
    if (takeValid) applyVerdict(c, await takeValid(c, caller, opened.project.id));
    const { value: input, bytes } = parsed;
    const { project, reads, ...access } = withReads ?? (await enterWith(input));
    const ctx = { ...c.var.ctx, actor: access.actor };
    return route.handler({ c, ctx, project, reads, input, bytes });
  };
  const mount = (server: Hono<HttpEnv>) => {
    server.on(method, path, async (c) => {
      const incoming = await receiveInput(c, route);
      try {
        return await answer(c, incoming);
      } finally {
        incoming.end();
      }
    });
  };
  return { method, path, auth, capability, limit, anyOrigin, mount };
}

/** Begins to read the input; the answer reports its faults only after the access checks. */
async function receiveInput<Input>(
  c: HttpContext,
  { method, input, takeValid }: Pick<KeyedRoute<Input, Reads>, "method" | "input" | "takeValid">,
): Promise<IncomingBody<Input>> {
  if (method === "POST")
    return receiveJson(c, {
      schema: input,
      maxBytes: takeValid ? SMALL_BODY_BYTES : MAX_BODY_BYTES,
    });
  const result = input.safeParse(givenQuery(c));
  const early: Parsed<Input> = result.success
    ? { ok: true, value: result.data, bytes: new Uint8Array() }
    : { ok: false, error: refusalOfIssues(result.error.issues) };
  return { early, finish: async () => early, end: () => {} };
}
