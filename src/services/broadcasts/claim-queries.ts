import { sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database } from "../../db/client.ts";
import { broadcastChunks } from "../../db/schema/index.ts";
import { audience, type BroadcastRow } from "./queries.ts";
import { isHeld, type ChunkClaim, type ChunkRow } from "./chunk-queries.ts";

/**
 * The recipients to claim next: those of `ids` who are still in the audience, or the next after the
 * cursor.
 */
export type NextGroup = { kind: "ids"; ids: string[] } | { kind: "after_cursor" };

/**
 * Moves a held chunk on by one group if the broadcast is sending. Records the claimed recipients
 * along with those still in hand. Then moves the cursor (to the end if nobody is left) or removes
 * the group from `again`. Returns the new position and the broadcast's state. All values derive
 * from `chunk`, the position before the claim, so a repeated claim has the same result as one whose
 * answer was lost.
 */
export function claimNextGroup(
  db: Database,
  broadcast: BroadcastRow,
  chunk: Pick<ChunkRow, "cursorId" | "untilId" | "again">,
  claim: ChunkClaim,
  group: NextGroup,
  inHand: string[],
  size: number,
  change: SQLiteUpdateSetSource<typeof broadcastChunks>,
) {
  const isSending = sql`(select state from broadcasts where id = ${broadcast.id}) = 'sending'`;
  const { cursorId, untilId } = chunk;
  const which =
    group.kind === "ids"
      ? sql`id in (select value from json_each(${JSON.stringify(group.ids)}))`
      : sql`id > ${cursorId} and id <= ${untilId}`;
  const page = sql`select id from subscribers where ${audience(broadcast)} and ${which} and ${isSending} order by id limit ${size}`;
  const held = sql`select value as id from json_each(${JSON.stringify(inHand)})`;
  const cursor =
    group.kind === "ids"
      ? {
          again: sql`iif(${isSending}, ${JSON.stringify(chunk.again.slice(group.ids.length))}, ${JSON.stringify(chunk.again)})`,
        }
      : {
          cursorId: sql`coalesce((select max(id) from (${page})), iif(${isSending}, until_id, ${cursorId}))`,
        };
  return db
    .update(broadcastChunks)
    .set({
      ...change,
      ...cursor,
      inFlight: sql`(select json_group_array(id) from (select id from (${held}) union all select id from (${page})))`,
    })
    .where(isHeld(claim))
    .returning({
      again: broadcastChunks.again,
      cursorId: broadcastChunks.cursorId,
      state: sql<BroadcastRow["state"]>`(select state from broadcasts where id = ${broadcast.id})`,
      recipients: sql<Recipient[]>`(${recipientsIn(sql`in_flight`)})`.mapWith(parseRecipients),
    });
}

/**
 * Returns SQL for the subscribers whose ids are in a JSON array, with their current suppression, as
 * a JSON array.
 */
function recipientsIn(ids: SQL): SQL {
  return sql`select json_group_array(json_object('id', id, 'email', email, 'name', name, 'metadata', json(metadata), 'suppressed', exists (
      select 1 from suppressions where project_id = subscribers.project_id and email = subscribers.email)))
    from subscribers where id in (select value from json_each(${ids}))`;
}

/** Parses the JSON from `recipientsIn`. */
const parseRecipients = (json: string) => JSON.parse(json) as Recipient[];

/** A subscriber as a chunk loads it. */
export interface Recipient {
  id: string;
  email: string;
  name: string;
  metadata: Record<string, unknown>;
  /** 1 if the address is on the suppression list. */
  suppressed: number;
}

/** Selects everyone whom a held chunk has recorded as in flight: one row. */
export function selectInFlight(db: Database, claim: ChunkClaim) {
  return db
    .select({
      recipients: sql<Recipient[]>`(${recipientsIn(sql`in_flight`)})`.mapWith(parseRecipients),
    })
    .from(broadcastChunks)
    .where(isHeld(claim));
}
