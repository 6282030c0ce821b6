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
 * The recipients to read next, at most `size`: either those of `ids` who are still in the audience,
 * or those of the audience after one id and up to another.
 */
export type Page = { size: number } & (
  | { kind: "ids"; ids: string[] }
  | { kind: "range"; after: string; to: string }
);

/** A subscriber as a chunk loads it. */
export interface Recipient extends MailedSubscriber {
  /** 1 if the address is on the suppression list. */
  suppressed: number;
  /** The data of the event that started the run whose mail it is; null for other mails. */
  event: Record<string, unknown> | null;
}

/** A chunk of runs of an automation, for which a recipient has the event of the run. */
type OfRuns = Pick<ChunkRow, "page"> & { automationId: string | SQL | null };

/**
 * Reads the next recipients of a chunk with their current suppression, in the order of their ids.
 * For a chunk with a variant of an A/B test, reads only the recipients in the slice of that variant.
 * For any other chunk of a broadcast with an A/B test, reads only those in no slice. A range leaves
 * out those whom a canary lists.
 */
export function readAhead(
  db: Database,
  broadcast: BroadcastRow,
  page: Page,
  { variant, leftOut, page: runs = "" }: Pick<ChunkRow, "variant" | "leftOut"> & { page?: string },
): Promise<Recipient[]> {
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
  const of = { automationId: broadcast.automationId, page: runs };
  return readRecipients(db, sql`(${ahead} limit ${page.size}) s`, of);
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

/** Reads subscribers by their ids, whoever still exists. */
export function readByIds(db: Database, ids: string[], of: OfRuns): Promise<Recipient[]> {
  const named = sql`(select id${RECIPIENT} from subscribers where id in (select value from json_each(${JSON.stringify(ids)}))) s`;
  return readRecipients(db, named, of);
}

/**
 * Returns SQL for the event data of a subscriber's newest run of an automation that has a mail in
 * this page; of the newest run at all for the page "".
 */
export const eventOf = ({ automationId, page }: OfRuns, subscriberId: SQL): SQL =>
  sql`(select run.data from automation_runs run indexed by automation_runs_by_person
    where run.subscriber_id = ${subscriberId}
    and run.automation_id = ${automationId} and (${page} = '' or instr(run.mails, ${page}) > 0)
    order by run.id desc limit 1)`;

/** Reads these subscribers with their current suppression, as one JSON array. */
async function readRecipients(db: Database, from: SQL, of: OfRuns): Promise<Recipient[]> {
  const event = of.automationId === null ? sql`null` : sql`json(${eventOf(of, sql`s.id`)})`;
  const more = sql`, 'suppressed', exists (
    select 1 from suppressions where project_id = s.project_id and email = s.email), 'event', ${event}`;
  const [row] = await db.all<{ recipients: string }>(
    sql`select json_group_array(${mailedJson("s", more)}) as recipients
      from ${from}`,
  );
  const recipients = JSON.parse(row?.recipients ?? "[]") as Recipient[]; // the SQL above built them
  return recipients.sort((one, other) => (one.id < other.id ? -1 : 1));
}
