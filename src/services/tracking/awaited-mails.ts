import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { isLogged } from "../email-log/index.ts";

/** Limit on the chunks and sends examined; a queue has at most 250 concurrent consumers. */
const EXAMINED_MAX = 250;

/** Returns the time in a UUIDv7, its first 48 bits (RFC 9562 §5.7). */
const uuidTime = (id: SQL) => sql`substr(${id}, 1, 8) || substr(${id}, 10, 4)`;

/**
 * Returns the log ids whose mail may soon be in the log: a worker has it in flight, or it was
 * logged since the caller checked. A single snapshot decides, so no mail can move from in flight to
 * logged unnoticed. Sends list their mails in flight; the ids of a broadcast's mails contain its
 * time. One D1 round trip, which reads a bounded number of rows.
 */
export async function awaitedMails(deps: Deps, logIds: string[]): Promise<ReadonlySet<string>> {
  const rows = await deps.db.all<{ id: string }>(
    sql`with ranges as (
        select broadcast_id from broadcast_chunks where state = 'claimed'
        order by due_at desc limit ${EXAMINED_MAX}
      ), times as materialized (
        select printf('%012x', created_at) as time from broadcasts
        where id in (select broadcast_id from ranges)
      ), sends as materialized (
        select in_flight from send_operations where state = 'running'
        order by lease_until desc limit ${EXAMINED_MAX}
      ), mails as materialized (
        select value ->> 'logId' as log_id from sends cross join json_each(in_flight)
      )
      select value as id from json_each(${JSON.stringify(logIds)})
      where ${uuidTime(sql`value`)} in (select time from times)
        or value in (select log_id from mails)
        or ${isLogged(sql`value`)}`,
  );
  return new Set(rows.map(({ id }) => id));
}
