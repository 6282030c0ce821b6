import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { isLogged } from "../email-log/index.ts";

/** Bound on the ranges and on the sends examined; a queue has at most 250 consumers at a time. */
const IN_HAND = 250;

/** Returns the time in a UUIDv7, its first 48 bits (RFC 9562 §5.7). */
const uuidTime = (id: SQL) => sql`substr(${id}, 1, 8) || substr(${id}, 10, 4)`;

/**
 * Returns those of these log ids whose mail may soon be in the log: a worker has it in hand, or it
 * entered the log since the caller looked. One snapshot decides, so no mail leaves a worker's hand
 * unseen. Sends name the mails that they have in hand; the ids of a broadcast's mails contain its
 * time. One D1 round trip, which reads a bounded number of rows.
 */
export async function awaitedMails(deps: Deps, logIds: string[]): Promise<ReadonlySet<string>> {
  const rows = await deps.db.all<{ id: string }>(
    sql`with ranges as (
        select broadcast_id from broadcast_chunks where state = 'claimed'
        order by due_at desc limit ${IN_HAND}
      ), times as materialized (
        select printf('%012x', created_at) as time from broadcasts
        where id in (select broadcast_id from ranges)
      ), sends as materialized (
        select in_flight from send_operations where state = 'running'
        order by lease_until desc limit ${IN_HAND}
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
