import { createMiddleware } from "hono/factory";
import { consumeIpLimit, type IpBucket, type IpCounters } from "../../services/limits/index.ts";
import type { HttpEnv } from "../http-env.ts";
import { applyVerdict, setLimitHeaders } from "../limit-headers.ts";

/** A mount of a limit by address. */
interface IpLimit {
  buckets: IpBucket[];
}

/**
 * Makes the limits by client address of one server, for mounts on explicit paths: within a sub-app,
 * so that its `onError` renders the refusal, and before the routes. A request counts once, in the
 * buckets of the first mount that it meets. Preflights do not count: they cost no call, and a
 * browser does not say why one failed.
 */
export function createIpLimits() {
  const counters: IpCounters = new Map();
  return ({ buckets }: IpLimit) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      if (c.req.method === "OPTIONS" || c.var.seenByIpLimit) return next();
      c.set("seenByIpLimit", true);
      const verdict = consumeIpLimit(c.var.ctx, counters, buckets);
      if (verdict) applyVerdict(c, verdict);
      await next();
      setLimitHeaders(c); // A handler's own response carries them too.
    });
}
