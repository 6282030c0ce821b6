import { sql, type SQL } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { isoTime } from "../../db/iso-time.ts";
import type { broadcasts } from "../../db/schema/index.ts";
import { eventStatement, hasWebhooks, type EventType } from "../webhooks/index.ts";
import type { BroadcastRow } from "./queries.ts";

export type BroadcastChange = SQLiteUpdateSetSource<typeof broadcasts> &
  Partial<Pick<BroadcastRow, "state" | "finishedAt">>;

const COUNTERS = ["sent", "failed", "bounced", "suppressed"] as const;

/**
 * Returns the statement that notifies webhooks of broadcasts. It runs before the write that makes
 * `change`. `which` is a condition on the columns of `broadcasts`. The event's data is the
 * broadcast as the API presents it, including the counts of its chunks in progress.
 */
export function broadcastEvent(
  deps: Deps,
  type: EventType & `broadcast.${string}`,
  which: SQL,
  { state, reasons, finishedAt }: BroadcastChange = {},
): Statement {
  const now = deps.now();
  const counts = COUNTERS.map((name) => {
    const counter = sql.raw(name);
    return sql`, ${name}, b.${counter} + (
      select coalesce(sum(r.${counter}), 0) from broadcast_chunks r where r.broadcast_id = b.id)`;
  });
  const given = Array.isArray(reasons) ? JSON.stringify(reasons) : reasons;
  const why = given === undefined ? sql`b.reasons` : sql`${given}`;
  const chosen = sql`select * from broadcasts
    where ${which} and kind = 'broadcast' and ${hasWebhooks(sql`broadcasts.project_id`)}`;
  return eventStatement(
    deps,
    sql`select substr(${deps.newId()}, 1, 24) || substr(b.id, 25) as id, ${type} as type, b.project_id,
        ${now} as at, json_object('id', b.id, 'project_id', b.project_id, 'template_id', b.template_id,
          'subject', b.subject, 'state', coalesce(${state ?? null}, b.state)${sql.join(counts)},
          'error', (select group_concat(value ->> '$.message', '; ') from json_each(${why})),
          'reasons', json(${why}), 'created_at', ${isoTime(sql`coalesce(b.drafted_at, b.created_at)`)},
          'name', iif(b.plan is null, null, b.name), 'send_at', ${isoTime(sql`b.send_at`)},
          'starts_at', ${isoTime(sql`b.created_at`)},
          'finished_at', ${isoTime(sql`coalesce(${finishedAt ?? null}, b.finished_at)`)}) as data
      from (${chosen}) b`,
  );
}
