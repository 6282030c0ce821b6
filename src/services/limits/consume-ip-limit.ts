import type { Ctx } from "../../context.ts";
import { clientOf } from "./client-address.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { counterAt, type IpCounter, type IpCounters } from "./ip-counters.ts";
import { shareCounter } from "./share-counter.ts";
import { judgeEstimate } from "./sliding-estimate.ts";
import { strictest, type Verdict } from "../../lib/sliding-window.ts";

/**
 * The requests per minute from one address (API reference §4.1). `visits` are opens, clicks and
 * visits of unsubscribe links, which a mail proxy makes on behalf of many readers.
 */
const PER_MINUTE = { all: 600, waitlist: 100, visits: 6_000 } as const;
export type IpBucket = keyof typeof PER_MINUTE;

/**
 * The number of shares per limit. An isolate syncs a client with KV after each 1/30 of its limit
 * (20, 4 and 200 hits), so most visitors cost nothing.
 */
const SHARES_PER_LIMIT = 30;

/**
 * Counts one request against limits by client address. If one limit rejects the request, it counts
 * for none. Returns the strictest verdict, or undefined if there is no client to count: the address
 * is unknown, or it is a loopback address and the limit covers all requests or visits. The
 * reference makes that exception for all requests, for a service behind a proxy. The local runtime
 * reports every client as 127.0.0.1.
 * The answer is immediate and approximate: it uses the counters of this isolate and the last counts
 * from KV. Before it learns of the others, each isolate may allow 1/30 of the limit and the hits of
 * about a second. KV's propagation delay between locations can extend that to a minute. So n
 * isolates with even load may allow n/30 of the limit, and a simultaneous burst on all of them n
 * times the limit. It never rejects a client that the same estimate over the hits of all isolates
 * would allow. While KV is unreachable, each isolate counts on its own. `caller` identifies a known
 * caller at a shared address: the limit on all requests counts by it.
 */
export function consumeIpLimit(
  ctx: Pick<Ctx, "deps" | "clientIp">,
  counters: IpCounters,
  buckets: IpBucket[],
  caller?: string,
): Verdict | undefined {
  if (ctx.clientIp === "") return undefined;
  const client = clientOf(ctx.clientIp);
  const now = ctx.deps.now();
  const counted = buckets
    .filter((bucket) => bucket === "waitlist" || !client.isLoopback)
    .map((bucket) => {
      const name = bucket === "all" ? (caller ?? client.name) : client.name;
      const key = `ip:${bucket}:${name}`;
      const counter = counterAt(counters, key, now);
      return { key, counter, limit: PER_MINUTE[bucket], verdict: judge(counter, bucket, now) };
    });
  const [first, ...rest] = counted.map(({ verdict }) => verdict);
  if (!first) return undefined;
  const verdict = strictest([first, ...rest]);
  for (const { key, counter, limit } of counted) {
    if (verdict.allowed) countRequest(counter);
    // A rejected hit may trigger the sync of earlier hits but adds none, so rejections soon cost no
    // KV operations.
    const isDue = counter.unshared * SHARES_PER_LIMIT >= limit && now >= counter.nextShareMs;
    if (isDue) ctx.deps.waitUntil(shareCounter(ctx.deps, key, counter));
  }
  return verdict;
}

function judge({ own, others, minute }: IpCounter, bucket: IpBucket, now: number): Verdict {
  const hits = { current: own.current + others.current, before: own.before + others.before };
  const elapsedMs = Math.max(0, now - minute * MINUTE_MS); // the clock may go backwards
  return judgeEstimate({ limit: PER_MINUTE[bucket], windowMs: MINUTE_MS }, hits, elapsedMs);
}

function countRequest(counter: IpCounter): void {
  counter.own.current += 1;
  counter.unshared += 1;
}
