import type { Ctx } from "../../context.ts";
import { clientOf } from "./client-address.ts";
import { counterAt, MINUTE_MS, type IpCounter, type IpCounters } from "./ip-counters.ts";
import { shareCounter } from "./share-counter.ts";
import { judgeEstimate } from "./sliding-estimate.ts";
import { strictest, type Verdict } from "../../lib/sliding-window.ts";

/**
 * Requests a minute from one address (API reference §4.1). `visits` are opens, clicks and visits of
 * unsubscribe links: a mail proxy makes those of many readers.
 */
const PER_MINUTE = { all: 600, waitlist: 100, visits: 6_000 } as const;
export type IpBucket = keyof typeof PER_MINUTE;

/**
 * An isolate asks KV about a client after each 1/30 of its limit (20, 4 and 200 hits): most visitors
 * cost nothing.
 */
const SHARES_PER_LIMIT = 30;

/**
 * Counts one request against limits by client address; a request that one of them refuses counts for
 * none. Returns the strictest verdict, or undefined where there is nobody to count: no address is
 * known, or, for the caps over all requests and over visits, it is this machine's own (the reference
 * has the first for a service behind a proxy; the local runtime calls everybody 127.0.0.1).
 *
 * The answer is at once and approximate: from the counters of this isolate and what KV told it. Each
 * isolate may let through 1/30 of the limit, and what comes in a second or so (KV's own delay
 * between places, up to a minute), before it hears of the others; so n isolates that are hit evenly
 * may let n/30 of the limit pass, and a burst on all of them at once n times the limit. It refuses
 * nobody whom the same estimate over the hits of all isolates would let pass. With KV out of reach
 * each isolate counts for itself.
 */
export function takeIpHit(
  ctx: Pick<Ctx, "app" | "clientIp">,
  counters: IpCounters,
  buckets: IpBucket[],
): Verdict | undefined {
  if (ctx.clientIp === "") return undefined;
  const client = clientOf(ctx.clientIp);
  const now = ctx.app.now();
  const counted = buckets
    .filter((bucket) => bucket === "waitlist" || !client.isLoopback)
    .map((bucket) => {
      const key = `ip:${bucket}:${client.name}`;
      const counter = counterAt(counters, key, now);
      return { key, counter, limit: PER_MINUTE[bucket], verdict: judge(counter, bucket, now) };
    });
  const [first, ...rest] = counted.map(({ verdict }) => verdict);
  if (!first) return undefined;
  const verdict = strictest([first, ...rest]);
  for (const { key, counter, limit } of counted) {
    if (verdict.allowed) countHit(counter);
    // A refused hit may have the hits before it told, but adds none: refusals cost no KV for long.
    const isDue = counter.unshared * SHARES_PER_LIMIT >= limit && now >= counter.nextShareMs;
    if (isDue) ctx.app.waitUntil(shareCounter(ctx.app, key, counter));
  }
  return verdict;
}

function judge({ own, others, minute }: IpCounter, bucket: IpBucket, now: number): Verdict {
  const hits = { current: own.current + others.current, before: own.before + others.before };
  const elapsedMs = Math.max(0, now - minute * MINUTE_MS); // a clock may go back
  return judgeEstimate({ limit: PER_MINUTE[bucket], windowMs: MINUTE_MS }, hits, elapsedMs);
}

function countHit(counter: IpCounter): void {
  counter.own.current += 1;
  counter.unshared += 1;
}
