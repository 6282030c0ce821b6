import { sql } from "drizzle-orm";
import type { Deps } from "../../../deps.ts";
import type { Statement } from "../../../db/client.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { logLine } from "../../../lib/log-line.ts";
import { finishChunk } from "../chunk-ends.ts";
import { chunkHeld, type ChunkRow } from "../chunk-queries.ts";
import type { BroadcastRow } from "../queries.ts";
import { dueOfZone } from "./zone-chunks.ts";

/**
 * Returns true for a chunk of a zone whose time was missed by more than the broadcast allows. A
 * chunk that has begun goes on.
 */
export function isMissedZone({ plan, state }: BroadcastRow, chunk: ChunkRow, now: number): boolean {
  const longest = plan?.timeZone ? plan.maxDelayMinutes : null;
  const due = dueOfZone(chunk.afterId);
  if (longest === null || due === undefined || state !== "sending") return false;
  const { attempt, sent, failed, bounced, suppressed, deferred } = chunk;
  const hasBegun = attempt + sent + failed + bounced + suppressed + deferred.length > 0;
  return !hasBegun && now - due > longest * MINUTE_MS;
}

/** Says that some people did not get a broadcast, because it was too late in their zone. */
export const missedZones = (longest: number) =>
  `not sent in some time zones: it was more than ${longest} minutes late there`;

/** Returns the statements that end a held chunk without a mail, and say so in the broadcast. */
export function skipMissedZone(
  deps: Deps,
  { id, plan }: BroadcastRow,
  chunk: ChunkRow,
): Statement[] {
  logLine("warn", "broadcast_zone_missed", { broadcastId: id, recipients: chunk.again.length });
  const error = missedZones(plan?.maxDelayMinutes ?? 0);
  return [
    deps.db.run(
      sql`update broadcasts set error = ${error} where id = ${id} and ${chunkHeld(chunk)}`,
    ),
    ...finishChunk(deps, chunk),
  ];
}
