import { createMiddleware } from "hono/factory";
import {
  callerAt,
  consumeIpLimit,
  rememberCaller,
  type IpBucket,
  type IpCounters,
  type ProvenCallers,
} from "../../services/limits/index.ts";
import { secretOf } from "../credential.ts";
import type { HttpEnv } from "../http-env.ts";
import { addLimitHeaders, applyVerdict } from "../limit-headers.ts";

/** A mount of a limit by address. */
interface IpLimit {
  buckets: IpBucket[];
}

/**
 * Makes the limits by client address of one server, for mounts on explicit paths, before the
 * routes. A request counts once, in the buckets of the first mount that it meets. Preflights do not
 * count: they cost no call, and a browser does not say why one failed. A Worker with a valid key or
 * session counts by it, since all Workers share one address (decision D36).
 */
export function createIpLimits() {
  const counters: IpCounters = new Map();
  const proven: ProvenCallers = new Set();
  return ({ buckets }: IpLimit) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      if (c.req.method === "OPTIONS" || c.var.seenByIpLimit) return next();
      c.set("seenByIpLimit", true);
      const { ctx } = c.var;
      const caller = callerAt(ctx.clientIp, secretOf(c));
      const isProven = caller !== undefined && proven.has(caller);
      const verdict = consumeIpLimit(ctx, counters, buckets, isProven ? caller : undefined);
      if (verdict) applyVerdict(c, verdict);
      await next();
      addLimitHeaders(c);
      if (caller === undefined) return;
      if (c.var.isAdmitted) rememberCaller(proven, caller);
      else if (c.res.status === 401) proven.delete(caller);
    });
}
