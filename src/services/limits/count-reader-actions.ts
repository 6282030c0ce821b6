import type { Ctx } from "../../context.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { addressName, shardOf, take } from "./ask-limiter.ts";

/**
 * The actions an hour by the links of one reader, and from one client address; our own choice. A
 * change is a press of a button that does not leave.
 */
const PER_HOUR = {
  download: { reader: 10, address: 60 },
  change: { reader: 20, address: 600 },
} as const;

/**
 * Counts one action by the link of a reader: by the client address, if it is known, and then by the
 * subscriber. An action that the address's limit refuses does not count for the subscriber. Throws
 * unavailable when the limiter does not answer.
 */
export async function takeReaderAction(
  ctx: Ctx,
  action: keyof typeof PER_HOUR,
  subscriberId: string,
): Promise<Verdict> {
  const limits = PER_HOUR[action];
  const count = (name: string, limit: number) => {
    const hash = sha256Hex(`${action} ${name}`);
    return take(ctx, shardOf(action, hash), hash, limit, HOUR_MS);
  };
  if (ctx.clientIp !== "") {
    const byAddress = await count(addressName(ctx), limits.address);
    if (!byAddress.allowed) return byAddress;
  }
  return count(`reader ${subscriberId}`, limits.reader);
}
