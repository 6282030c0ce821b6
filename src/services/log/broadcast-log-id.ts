import { createHmac } from "node:crypto";
import type { broadcasts } from "../../db/schema/index.ts";
import { uuidFrom } from "../../lib/ids.ts";

/**
 * The log id of a subscriber's mail in a broadcast: the same whenever it is asked for, so that the
 * primary key holds one entry a subscriber, and nobody's to guess.
 */
export function broadcastLogId(
  broadcast: Pick<typeof broadcasts.$inferSelect, "logKey" | "createdAt">,
  subscriberId: string,
): string {
  const bytes = createHmac("sha256", broadcast.logKey).update(subscriberId).digest();
  return uuidFrom(broadcast.createdAt, bytes.subarray(0, 16));
}
