import { createMiddleware } from "hono/factory";
import { takeIpHit, type IpBucket, type IpCounters } from "../../services/limits/index.ts";
import type { HttpEnv } from "../http-env.ts";
import { applyVerdict, setLimitHeaders } from "../limit-headers.ts";

/** How a limit by address is mounted. */
interface IpLimit {
  buckets: IpBucket[];
}

/**
 * Makes the limits by client address of one server, to be mounted on explicit paths: within a
 * sub-app, so that its `onError` words the refusal, and before the routes. A request counts once, in the
 * buckets of the first mount that it meets. Preflights do not count: they cost no call, and a
 * browser tells nobody why one failed.
 */
export function createIpLimits() {
  const counters: IpCounters = new Map();
  return ({ buckets }: IpLimit) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      if (c.req.method === "OPTIONS" || c.var.seenByIpLimit) return next();
      c.set("seenByIpLimit", true);
      const verdict = takeIpHit(c.var.ctx, counters, buckets);
      if (verdict) applyVerdict(c, verdict);
      await next();
      setLimitHeaders(c); // also on an answer that a handler made by itself
    });
}
