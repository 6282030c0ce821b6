import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import { notFound } from "../../errors.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { selectSubscriber } from "../subscribers/index.ts";

export interface ListedEvent {
  seq: number;
  name: string;
  data: Record<string, unknown>;
  occurredAt: number;
  receivedAt: number;
}

interface Asked {
  name?: string | undefined;
  /** A key is the time of an event and its number. */
  page: ListPage<[number, number]>;
}

/**
 * Returns events of a subscriber, the latest first. Rows read: the entries of the person's events,
 * and the page. The route authorizes the call. Throws not_found.
 */
export async function listEvents(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  subscriberId: string,
  { name, page }: Asked,
): Promise<ListedEvent[]> {
  const { limit, offset } = spanOf(page);
  const [at, seq] = page.after ?? [Number.MAX_SAFE_INTEGER, 0];
  const isNamed = name === undefined ? sql`` : sql`and name = ${name}`;
  const isAfter = sql`${isNamed} and (occurred_at, seq) < (${at}, ${seq})`;
  const [[subscriber], rows] = await runBatch(db, [
    selectSubscriber(db, project.id, subscriberId),
    selectEvents(db, project.id, subscriberId, { isAfter, limit, offset }),
  ]);
  if (!subscriber) throw notFound("subscriber");
  return rows.map(readEvent);
}

/** Selects the latest events of a subscriber. */
export function selectEvents(
  db: Database,
  projectId: string,
  subscriberId: string,
  { isAfter = sql``, limit, offset = 0 }: { isAfter?: SQL; limit: number; offset?: number },
) {
  return db.all<StoredEvent>(
    sql`select e.seq, e.name, e.data, e.occurred_at as "occurredAt", e.received_at as "receivedAt"
      from (select seq from events
        where project_id = ${projectId} and subscriber_id = ${subscriberId} ${isAfter}
        order by occurred_at desc, seq desc limit ${limit} offset ${offset}) page
      cross join events e on e.seq = page.seq
      order by e.occurred_at desc, e.seq desc`,
  );
}

type StoredEvent = Omit<ListedEvent, "data"> & { data: string };

/** Reads a row of `selectEvents`. */
export const readEvent = ({ data, ...row }: StoredEvent): ListedEvent => ({
  ...row,
  data: JSON.parse(data) as Record<string, unknown>, // `insertEvents` stores objects
});
