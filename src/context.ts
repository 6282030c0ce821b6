import type { App } from "./app.ts";

/** Who acts. Roles are not part of it: they are read with the project or workspace on every request. */
export type Actor =
  | { kind: "user"; userId: string; email: string; name: string; sessionHash: string }
  | {
      kind: "project_key";
      keyId: string;
      projectId: string;
      rateLimitPerMinute: number | undefined;
    }
  | { kind: "anonymous" }
  | { kind: "system"; job: string };

/** What every rule is handed: the world, who acts, and where the request came from. */
export interface Ctx {
  app: App;
  actor: Actor;
  requestId: string;
  /** The address that limits count by and audit entries name; never one the client can choose. */
  clientIp: string;
  userAgent: string;
}

/** The context of work that no request asked for; `job` names it. */
export function systemContext(app: App, job: string): Ctx {
  return {
    app,
    actor: { kind: "system", job },
    requestId: app.newId(),
    clientIp: "",
    userAgent: "",
  };
}
