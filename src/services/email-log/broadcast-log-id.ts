import { createHmac } from "node:crypto";
import type { broadcasts } from "../../db/schema/index.ts";
import { uuidFrom, uuidTime } from "../../lib/ids.ts";

/**
 * Returns the log id of a subscriber's mail in a broadcast, or in a page of runs at a step of an
 * automation. The id is deterministic, so the primary key allows only one entry per subscriber and
 * page, and it cannot be guessed. Its time is that of the page, which has a UUIDv7, or of the broadcast.
 */
export function broadcastLogId(
  broadcast: Pick<typeof broadcasts.$inferSelect, "logKey" | "createdAt">,
  subscriberId: string,
  page = "",
): string {
  const bytes = createHmac("sha256", broadcast.logKey)
    .update(subscriberId + page)
    .digest();
  return uuidFrom(page === "" ? broadcast.createdAt : uuidTime(page), bytes.subarray(0, 16));
}
