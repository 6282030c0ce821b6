import type { Ctx } from "../../context.ts";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { addressName, shardOf, take } from "./ask-limiter.ts";

/**
 * The limits of actions through one reader's links, and from one client address; our own choice.
 * `change` is any action except unsubscribing; `data_mail` sends the download link of a reader's
 * data.
 */
const LIMITS = {
  download: { reader: 10, address: 60, windowMs: HOUR_MS },
  change: { reader: 20, address: 600, windowMs: HOUR_MS },
  data_mail: { reader: 3, address: 600, windowMs: DAY_MS },
} as const;

/**
 * Counts one action through a reader's link: by the client address, if it is known, and then by the
 * subscriber. An action that the address limit rejects does not count for the subscriber. Throws
 * 503 if the limiter does not answer.
 */
export async function takeReaderAction(
  ctx: Ctx,
  action: keyof typeof LIMITS,
  subscriberId: string,
): Promise<Verdict> {
  const { reader, address, windowMs } = LIMITS[action];
  const count = (name: string, limit: number) => {
    const hash = sha256Hex(`${action} ${name}`);
    return take(ctx, shardOf(action, hash), hash, limit, windowMs);
  };
  if (ctx.clientIp !== "") {
    const byAddress = await count(addressName(ctx), address);
    if (!byAddress.allowed) return byAddress;
  }
  return count(`reader ${subscriberId}`, reader);
}
