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

/** A rate limit by IP address and the paths it is mounted on. */
interface IpLimit {
  buckets: IpBucket[];
}

/**
 * Creates the rate limits by client address of one server, to be mounted on explicit paths before
 * the routes. A request counts once, in the buckets of the first mount that matches. Preflights do
 * not count: they are cheap, and browsers do not report why one failed. A Worker with a valid key
 * or session is limited by that instead, because all Workers share one address (decision D36).
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
      applyVerdict(c, consumeIpLimit(ctx, counters, buckets, isProven ? caller : undefined));
      await next();
      addLimitHeaders(c);
      if (caller === undefined) return;
      if (c.var.isAdmitted) rememberCaller(proven, caller);
      else if (c.res.status === 401) proven.delete(caller);
    });
}
