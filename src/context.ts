import type { Deps } from "./deps.ts";

/**
 * The party that causes a change. Roles are not part of it: each request reads them with its
 * project or workspace.
 */
export type Actor =
  | {
      kind: "user";
      userId: string;
      email: string;
      name: string;
      sessionHash: string;
      /** False in cloud mode until the address is proven. The person then acts as a viewer. */
      isProven: boolean;
    }
  | {
      kind: "project_key";
      keyId: string;
      projectId: string;
      rateLimitPerMinute: number | undefined;
    }
  | { kind: "anonymous" }
  | { kind: "system"; job: string };

/**
 * The first argument of every service function: the outside world, the actor and the origin of the
 * request.
 */
export interface Ctx {
  deps: Deps;
  actor: Actor;
  requestId: string;
  /** The address that rate limits count and audit entries record; the client cannot choose it. */
  clientIp: string;
  userAgent: string;
}

/** Returns the context of work that no request asked for; `job` names it. */
export function systemContext(deps: Deps, job: string): Ctx {
  return {
    deps,
    actor: { kind: "system", job },
    requestId: deps.newId(),
    clientIp: "",
    userAgent: "",
  };
}
