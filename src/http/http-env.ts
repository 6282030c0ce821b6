import type { Context } from "hono";
import type { Bindings } from "../config.ts";
import type { Ctx } from "../context.ts";
import type { ProjectRow } from "../services/access/index.ts";
import type { Verdict } from "../lib/sliding-window.ts";

/** Per-request variables in Hono's context. */
export interface HttpEnv {
  Bindings: Bindings;
  Variables: {
    /** Starts with an anonymous actor; the access check sets the real one. */
    ctx: Ctx;
    /** Rate-limit verdict, set once the request counts against a limit. */
    verdict: Verdict | undefined;
    /** Set once the limits by IP address have counted the request, so that it counts once. */
    seenByIpLimit: true | undefined;
    /** Set once an access check has accepted the key or session. */
    isAdmitted: true | undefined;
    /** The project of an accepted key. */
    project: ProjectRow | undefined;
    /** The public key that a form posted, since it cannot send `Authorization`. */
    publicKey: string | undefined;
  };
}

export type HttpContext = Context<HttpEnv>;
