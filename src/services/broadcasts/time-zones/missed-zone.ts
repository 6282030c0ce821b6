import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../../deps.ts";
import type { Database, Statement } from "../../../db/client.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { logLine } from "../../../lib/log-line.ts";
import { broadcastReason, type BroadcastReasonCode } from "../../../messages/broadcast-reasons.ts";
import type { Message } from "../../../messages/message.ts";
import { finishChunk } from "../chunk-ends.ts";
import { chunkHeld, type ChunkRow } from "../chunk-queries.ts";
import type { BroadcastRow } from "../queries.ts";
import { dueOfZone } from "./zone-chunks.ts";

/** The due time of a chunk's zone, and the maximum delay of its broadcast. */
interface DelayLimit {
  due: number;
  longest: number;
}

/** Returns the limits after which a chunk is too late; undefined if it has none. */
function delayLimitOf(
  { plan, state }: BroadcastRow,
  { afterId }: ChunkRow,
): DelayLimit | undefined {
  const longest = plan?.timeZone ? plan.maxDelayMinutes : null;
  const due = dueOfZone(afterId);
  if (longest === null || due === undefined || state !== "sending") return undefined;
  return { due, longest };
}

/**
 * Returns true for a chunk of a zone whose time was missed by more than the broadcast allows. A
 * zone or chunk that has begun is completed.
 */
export async function isMissedZone(
  { db, now }: Deps,
  broadcast: BroadcastRow,
  chunk: ChunkRow,
): Promise<boolean> {
  const limit = delayLimitOf(broadcast, chunk);
  if (!limit || now() - limit.due <= limit.longest * MINUTE_MS) return false;
  const { attempt, sent, failed, bounced, suppressed, deferred } = chunk;
  if (attempt + sent + failed + bounced + suppressed + deferred.length > 0) return false;
  if (hasBegun(broadcast, limit.due)) return false;
  const begun = await selectBegun(db, broadcast.id, limit.due); // by another worker
  return begun.length === 0;
}

const hasBegun = ({ plan }: BroadcastRow, due: number): boolean =>
  plan?.begunZones?.includes(due) ?? false;

const isBegun = (due: number) =>
  sql`exists (select 1 from json_each(plan, '$.begunZones') where value = ${due})`;

const selectBegun = (db: Database, id: string, due: number) =>
  db.all<{ id: string }>(sql`select id from broadcasts where id = ${id} and ${isBegun(due)}`);

/**
 * Records that the zone of a chunk has begun, so that none of its chunks is too late: one write per
 * zone of a broadcast with a maximum delay.
 */
export async function beginZone(
  { db }: Deps,
  broadcast: BroadcastRow,
  chunk: ChunkRow,
): Promise<void> {
  const { id, plan } = broadcast;
  const due = delayLimitOf(broadcast, chunk)?.due;
  if (!plan || due === undefined || hasBegun(broadcast, due)) return;
  const zones = sql`json_insert(coalesce(plan -> '$.begunZones', '[]'), '$[#]', ${due})`;
  await db.run(
    sql`update broadcasts set plan = json_set(plan, '$.begunZones', ${zones})
      where id = ${id} and state = 'sending' and not ${isBegun(due)}`,
  );
  plan.begunZones = [...(plan.begunZones ?? []), due];
}

const MISSED = "time_zones_missed" satisfies BroadcastReasonCode;

const missedIn = (reasons: SQL) =>
  sql`select value from json_each(${reasons}) where value ->> '$.code' = ${MISSED}`;

/** SQL for the reasons of a broadcast about missed zones; null if there are none. */
export const KEPT_REASONS = sql`nullif(
  (select json_group_array(json(value)) from (${missedIn(sql`reasons`)})), '[]')`;

/** Returns SQL for the reasons of a broadcast that pauses, keeping those about missed zones. */
export const reasonsOfPause = (reason: Message): SQL =>
  sql`(select json_group_array(json(value)) from (
    select ${JSON.stringify(reason)} as value union all ${missedIn(sql`reasons`)}))`;

/**
 * Returns the statements that finish a claimed chunk without sending mail, and append this to the
 * broadcast's existing reasons.
 */
export function skipMissedZone(
  deps: Deps,
  { id, plan }: BroadcastRow,
  chunk: ChunkRow,
): Statement[] {
  logLine("warn", "broadcast_zone_missed", { broadcastId: id, recipients: chunk.again.length });
  const missed = JSON.stringify(broadcastReason(MISSED, { minutes: plan?.maxDelayMinutes ?? 0 }));
  const reasons = sql`iif(${KEPT_REASONS} is null,
    json_insert(coalesce(reasons, '[]'), '$[#]', json(${missed})), reasons)`;
  return [
    deps.db.run(
      sql`update broadcasts set reasons = ${reasons} where id = ${id} and ${chunkHeld(chunk)}`,
    ),
    ...finishChunk(deps, chunk),
  ];
}
