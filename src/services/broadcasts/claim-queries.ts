import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import {
  columnOf,
  mailedJson,
  VARIABLES,
  type MailedSubscriber,
} from "../../db/subscriber-columns.ts";
import { audience, type BroadcastRow } from "./queries.ts";
import { isInSlice } from "./ab-test/slices.ts";
import { walk } from "./walk-queries.ts";
import type { ChunkRow } from "./chunk-queries.ts";

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
 * chunk of a broadcast with an A/B test, selects only those in no slice. A range leaves out those
 * whom a canary lists.
 */
export function selectAhead(
  db: Database,
  broadcast: BroadcastRow,
  page: NextPage & { size: number },
  { variant, leftOut }: Pick<ChunkRow, "variant" | "leftOut">,
) {
  const inSlice = broadcast.plan?.ab ? sql` and ${isInSlice(broadcast, variant)}` : sql``;
  const isLeft = (id: SQL) =>
    leftOut === null
      ? sql``
      : sql` and ${id} not in (select value from json_each(${JSON.stringify(leftOut)}))`;
  const ahead =
    page.kind === "ids"
      ? sql`select id${RECIPIENT} from subscribers where ${audience(broadcast, rangeOf(page.ids))}
          and id in (select value from json_each(${JSON.stringify(page.ids)}))${inSlice} order by id`
      : walk(
          broadcast,
          { first: page.after, last: page.to },
          (id) => sql`${id} > ${page.after} and ${id} <= ${page.to}${inSlice}${isLeft(id)}`,
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
 * Parses the JSON from `selectAhead` and `selectByIds`. Returns the recipients in the order of
 * their ids.
 */
export function parseRecipients(json: string | undefined): Recipient[] {
  // The SQL above built these objects.
  const recipients = JSON.parse(json ?? "[]") as Recipient[];
  return recipients.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The position of a chunk: its cursor, and the recipients to retry before the cursor moves on. */
export type Position = Pick<ChunkRow, "cursorId" | "again">;

/** Selects subscribers by their ids, whoever is still in the audience: one row. */
export function selectByIds(db: Database, ids: string[]) {
  const named = sql`(select id${RECIPIENT} from subscribers where id in (select value from json_each(${JSON.stringify(ids)}))) s`;
  return db.all<{ recipients: string }>(recipientsIn(named));
}
