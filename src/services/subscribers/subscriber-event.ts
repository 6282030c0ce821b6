import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { shownJson } from "../../db/subscriber-columns.ts";
import { eventStatement, type EventType } from "../webhooks/index.ts";

/**
 * Returns the statement that notifies a project's webhooks of changes to subscribers. It runs
 * before the write that it reports. `subscribers` selects them in their future state, with
 * `shownAfter` and an `event_id`. The event's data is the record as the API presents it.
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
    sql`select s.event_id as id, ${type} as type, s.project_id, ${now} as at, ${shownJson("s")} as data
      from (${subscribers}) s`,
    projectId,
  );
}
