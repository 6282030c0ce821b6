import type { Context } from "hono";
import type { Bindings } from "../config.ts";
import type { Ctx } from "../context.ts";
import type { Verdict } from "../lib/sliding-window.ts";

/** What Hono carries through a request. */
export interface HttpEnv {
  Bindings: Bindings;
  Variables: {
    /** Starts with an anonymous actor; the access check puts in who acts. */
    ctx: Ctx;
    /** Ends the checks of the body and handles the request; set once the caller is let in. */
    proceed: (query: unknown) => Promise<Response>;
    /** Set when the request was counted against a limit. */
    verdict: Verdict | undefined;
    /** Set once the request was looked at for limits by address: it counts once. */
    seenByIpLimit: true | undefined;
  };
}

export type HttpContext = Context<HttpEnv>;
