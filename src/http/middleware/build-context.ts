import { createMiddleware } from "hono/factory";
import type { Visitor } from "../../services/tracking/index.ts";
import { buildDeps, type Deps, type Runtime } from "../../deps.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";

/** Longest user agent kept, in characters; ours. */
const MAX_USER_AGENT_CHARACTERS = 500;

/**
 * Returns the facts that tracking needs and every context starts with; 503 without a required
 * setting.
 */
export async function readVisitor(c: HttpContext, runtime: Runtime): Promise<Visitor> {
  const deps = await buildDeps(c.env, (work) => c.executionCtx.waitUntil(work), runtime);
  return {
    deps,
    clientIp: clientIp(c, deps),
    userAgent: (c.req.header("User-Agent") ?? "").slice(0, MAX_USER_AGENT_CHARACTERS),
  };
}

/** Gives every request its Deps and a context without an actor; 503 without a required setting. */
export function buildContext(runtime: Runtime) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const visitor = await readVisitor(c, runtime);
    c.set("ctx", {
      ...visitor,
      actor: { kind: "anonymous" },
      requestId: c.req.header("CF-Ray") ?? visitor.deps.newId(),
    });
    await next();
  });
}

/**
 * Returns the client's address; only a proxy that the operator trusts may name it (decision D48).
 */
function clientIp(c: HttpContext, deps: Deps): string {
  return (deps.config.trustForwardedFor ? firstForwarded(c) : undefined) ?? connectingIp(c);
}

const connectingIp = (c: HttpContext) => c.req.header("CF-Connecting-IP") ?? "";

function firstForwarded(c: HttpContext): string | undefined {
  const first = c.req.header("X-Forwarded-For")?.split(",")[0]?.trim();
  return first === "" ? undefined : first?.slice(0, 64);
}
