import type { Ctx } from "../../context.ts";
import { HOUR_MS } from "../../lib/durations.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Verdict } from "../../lib/sliding-window.ts";
import { addressName, shardOf, take } from "./ask-limiter.ts";

/** The downloads an hour of the data of one reader, and from one client address; our own choice. */
const PER_READER = 10;
const PER_ADDRESS = 60;

/**
 * Counts one download of what is stored about a reader: by the client address, if it is known, and
 * then by the subscriber. A download that the address's limit refuses does not count for the
 * subscriber. Throws unavailable when the limiter does not answer.
 */
export async function takeReaderDownload(ctx: Ctx, subscriberId: string): Promise<Verdict> {
  if (ctx.clientIp !== "") {
    const byAddress = await count(ctx, addressName(ctx), PER_ADDRESS);
    if (!byAddress.allowed) return byAddress;
  }
  return count(ctx, `reader ${subscriberId}`, PER_READER);
}

function count(ctx: Ctx, name: string, limit: number): Promise<Verdict> {
  const hash = sha256Hex(`download ${name}`);
  return take(ctx, shardOf("download", hash), hash, limit, HOUR_MS);
}
