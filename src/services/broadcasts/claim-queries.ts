import { sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database } from "../../db/client.ts";
import { broadcastChunks } from "../../db/schema/index.ts";
import {
  columnOf,
  mailedJson,
  VARIABLES,
  type MailedSubscriber,
} from "../../db/subscriber-columns.ts";
import { VIA_FALLBACK } from "./named-recipients.ts";
import { audience, type BroadcastRow } from "./queries.ts";
import { isInSlice } from "./ab-test/slices.ts";
import { walk } from "./walk-queries.ts";
import { isHeld, type ChunkClaim, type ChunkRow } from "./chunk-queries.ts";

/**
 * The recipients to read next: either those of `ids` who are still in the audience, or those of the
 * audience after one id and up to another.
 */
export type NextPage =
  | { kind: "ids"; ids: string[] }
  | { kind: "range"; after: string; to: string };

/** A subscriber as a chunk loads it. */
export interface Recipient extends MailedSubscriber {
  /** 1 if the address is on the suppression list. */
  suppressed: number;
}

/**
 * Selects the next recipients of a chunk with their current suppression: one row. For a chunk with
 * a variant of an A/B test, selects only the recipients in the slice of that variant. For any other
 * chunk of a broadcast with an A/B test, selects only those in no slice.
 */
export function selectAhead(
  db: Database,
  broadcast: BroadcastRow,
  page: NextPage & { size: number },
  variant: number | null = null,
) {
  const inSlice = broadcast.plan?.ab ? sql` and ${isInSlice(broadcast, variant)}` : sql``;
  const ahead =
    page.kind === "ids"
      ? sql`select id${RECIPIENT} from subscribers where ${audience(broadcast, rangeOf(page.ids))}
          and id in (select value from json_each(${JSON.stringify(page.ids)}))${inSlice} order by id`
      : walk(
          broadcast,
          { first: page.after, last: page.to },
          (id) => sql`${id} > ${page.after} and ${id} <= ${page.to}${inSlice}`,
          RECIPIENT,
        );
  return db.all<{ recipients: string }>(recipientsIn(sql`(${ahead} limit ${page.size}) s`));
}

/** Returns the smallest and the greatest of some ids. */
export function rangeOf(ids: string[]): { first: string; last: string } {
  const sorted = ids.toSorted();
  return { first: sorted[0] ?? "", last: sorted.at(-1) ?? "" };
}

/** The columns of a recipient besides its id. */
const RECIPIENT = sql.join(
  (["projectId", ...VARIABLES] as const).map((column) => sql`, ${columnOf(column)}`),
);

/** Returns SQL for these subscribers, with their current suppression, as a JSON array. */
function recipientsIn(from: SQL): SQL {
  const isSuppressed = sql`, 'suppressed', exists (
    select 1 from suppressions where project_id = s.project_id and email = s.email)`;
  return sql`select json_group_array(${mailedJson("s", isSuppressed)}) as recipients
    from ${from}`;
}

/**
 * Parses the JSON from `selectAhead` and `selectUnsettled`. Returns the recipients in the order of
 * their ids.
 */
export function parseRecipients(json: string | undefined): Recipient[] {
  // The SQL above built these objects.
  const recipients = JSON.parse(json ?? "[]") as Recipient[];
  return recipients.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The position of a chunk: its cursor, and the recipients to retry before the cursor moves on. */
export type Position = Pick<ChunkRow, "cursorId" | "again">;

/**
 * Claims recipients of a held chunk if the broadcast is sending: records them along with those
 * still in hand, and moves the chunk from one position to another. Returns the broadcast's state.
 * All values are given, so a repeated claim has the same result as one whose answer was lost.
 */
export function claimRecipients(
  db: Database,
  claim: ChunkClaim,
  { claimed, inHand, from, to }: Claiming,
  change: SQLiteUpdateSetSource<typeof broadcastChunks>,
) {
  const state = sql<
    BroadcastRow["state"]
  >`(select state from broadcasts where id = ${claim.broadcastId})`;
  const moved = (sending: string, otherwise: string) =>
    sql`iif(${state} = 'sending', ${sending}, ${otherwise})`;
  const isRetry = from.again !== to.again;
  return db
    .update(broadcastChunks)
    .set({
      ...change,
      inFlight: moved(JSON.stringify([...inHand, ...claimed]), JSON.stringify(inHand)),
      cursorId: moved(to.cursorId, from.cursorId),
      ...(isRetry ? { again: moved(JSON.stringify(to.again), JSON.stringify(from.again)) } : {}),
    })
    .where(isHeld(claim))
    .returning({ state });
}

/** A claim of recipients, and the move of the chunk past them. */
export interface Claiming {
  claimed: string[];
  inHand: string[];
  from: Position;
  to: Position;
}

/** Returns the note of an accepted mail in the row of its chunk. */
export const noteAccepted = (id: string, viaFallback: boolean | undefined): string =>
  viaFallback ? `${id}${VIA_FALLBACK}` : id;

/**
 * Selects the recipients that a dead worker left in flight or accepted in a held chunk: one row.
 */
export function selectUnsettled(db: Database, claim: ChunkClaim) {
  const named = (ids: SQL) =>
    sql<string>`(${recipientsIn(sql`subscribers s where s.id in (select rtrim(value, ${VIA_FALLBACK}) from json_each(${ids}))`)})`;
  return db
    .select({ inFlight: named(sql`in_flight`), accepted: named(sql`accepted`) })
    .from(broadcastChunks)
    .where(isHeld(claim));
}
