import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { isoTime } from "../../db/iso-time.ts";
import { eventStatement, type EventType } from "../webhooks/index.ts";

/**
 * Returns the statement that notifies a project's webhooks of subscribers. It goes before the write
 * that it reports. `subscribers` selects them in their future state, with the columns of the table
 * and an `event_id`. The event's data is the record as the API presents it.
 */
export function subscriberEvent(
  deps: Deps,
  projectId: string,
  type: EventType,
  now: number,
  subscribers: SQL,
): Statement {
  return eventStatement(
    deps,
    sql`select s.event_id as id, ${type} as type, s.project_id, ${now} as at, json_object(
        'id', s.id, 'project_id', s.project_id, 'email', s.email, 'name', s.name, 'status', s.status,
        'metadata', json(s.metadata), 'tags', json(s.tags), 'subscribed_at', ${isoTime(sql`s.subscribed_at`)},
        'unsubscribed_at', ${isoTime(sql`s.unsubscribed_at`)}, 'created_at', ${isoTime(sql`s.created_at`)},
        'updated_at', ${isoTime(sql`s.updated_at`)}) as data
      from (${subscribers}) s`,
    projectId,
  );
}
