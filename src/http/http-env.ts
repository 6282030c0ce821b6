import type { Context } from "hono";
import type { Bindings } from "../config.ts";
import type { Ctx } from "../context.ts";
import type { Verdict } from "../lib/sliding-window.ts";

/** The values that Hono carries through a request. */
export interface HttpEnv {
  Bindings: Bindings;
  Variables: {
    /** The context; it starts with an anonymous actor, and the access check sets the real one. */
    ctx: Ctx;
    /** The verdict of a limit; set once the request counts against one. */
    verdict: Verdict | undefined;
    /** Set once the limits by address have seen the request, so that it counts once. */
    seenByIpLimit: true | undefined;
    /** Set once an access check has found the key or session of the request valid. */
    isAdmitted: true | undefined;
  };
}

export type HttpContext = Context<HttpEnv>;
