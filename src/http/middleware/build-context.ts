import { createMiddleware } from "hono/factory";
import type { Visitor } from "../../services/tracking/index.ts";
import type { Bindings } from "../../config.ts";
import { buildDeps, type Deps, type Runtime } from "../../deps.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { cutText } from "../../lib/cut-text.ts";

/** Maximum length of a stored user agent, in characters; our own choice. */
const MAX_USER_AGENT_CHARACTERS = 500;

/** A request as the runtime passes it. */
export interface HttpCall {
  request: Request;
  env: Bindings;
  executionCtx: Pick<ExecutionContext, "waitUntil">;
}

/**
 * Returns the runtime arguments of a context. The execution context, which may be missing, is read
 * lazily.
 */
export const callOf = (c: HttpContext): HttpCall => ({
  request: c.req.raw,
  env: c.env,
  executionCtx: { waitUntil: (work) => c.executionCtx.waitUntil(work) },
});

/**
 * Returns what tracking needs and every context starts with; 503 if a required setting is missing.
 */
export async function readVisitor(
  { request: { headers }, env, executionCtx }: HttpCall,
  runtime: Runtime,
): Promise<Visitor> {
  const deps = await buildDeps(env, (work) => executionCtx.waitUntil(work), runtime);
  return {
    deps,
    clientIp: clientIp(headers, deps),
    userAgent: cutText(headers.get("User-Agent") ?? "", MAX_USER_AGENT_CHARACTERS),
  };
}

/**
 * Gives every request its Deps and a context without an actor; 503 if a required setting is
 * missing.
 */
export function buildContext(runtime: Runtime) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const visitor = await readVisitor(callOf(c), runtime);
    c.set("ctx", {
      ...visitor,
      actor: { kind: "anonymous" },
      requestId: c.req.header("CF-Ray") ?? visitor.deps.newId(),
    });
    await next();
  });
}

/**
 * Returns the client's IP address. Only a proxy that the operator trusts may set it (decision D36).
 */
function clientIp(headers: Headers, deps: Deps): string {
  return (
    (deps.config.trustForwardedFor ? firstForwarded(headers) : undefined) ??
    headers.get("CF-Connecting-IP") ??
    ""
  );
}

function firstForwarded(headers: Headers): string | undefined {
  const first = headers.get("X-Forwarded-For")?.split(",")[0]?.trim();
  return first === "" ? undefined : first?.slice(0, 64);
}
