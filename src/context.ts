import type { Deps } from "./deps.ts";

/** What an access token adds to its user. */
export interface AccessToken {
  name: string;
  /** The projects that it reaches; null for all of its user. */
  projectIds: string[] | null;
}

/**
 * Who causes a change. Roles are not included: each request reads them with its project or
 * workspace.
 */
export type Actor =
  | {
      kind: "user";
      userId: string;
      email: string;
      name: string;
      sessionHash: string;
      /**
       * False in cloud mode until the user verifies the address. Until then, the user has only the
       * rights of a viewer.
       */
      isProven: boolean;
      /** The access token of the request; a session has none. */
      accessToken?: AccessToken | undefined;
    }
  | {
      kind: "project_key";
      keyId: string;
      projectId: string;
      rateLimitPerMinute: number | undefined;
      /** True for a test key, whose mails no server gets. */
      isTest?: boolean;
    }
  | { kind: "anonymous" }
  | { kind: "system"; job: string };

/** Returns true for a key whose mails no server gets. */
export const isTestKey = (actor: Actor): boolean =>
  actor.kind === "project_key" && actor.isTest === true;

/**
 * The first argument of every service function: dependencies, actor, and the origin of the request.
 */
export interface Ctx {
  deps: Deps;
  actor: Actor;
  requestId: string;
  /** Client address for rate limits and audit entries. The client cannot spoof it. */
  clientIp: string;
  userAgent: string;
}

/** Returns the context of a background job named `job`. */
export function systemContext(deps: Deps, job: string): Ctx {
  return {
    deps,
    actor: { kind: "system", job },
    requestId: deps.newId(),
    clientIp: "",
    userAgent: "",
  };
}
