import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { broadcastEvent } from "./broadcast-event.ts";

/**
 * Returns the statements that finish a broadcast whose chunks are all planned and done, and notify
 * webhooks. Without an id, they finish all such broadcasts.
 */
export function finishIfDone(deps: Deps, id?: string): Statement[] {
  const ofOne = id === undefined ? sql`` : sql` and id = ${id}`;
  const isDone = sql`state = 'sending' and planned_id >= cutoff_id and decides_at = 0${ofOne}
    and not exists (select 1 from broadcast_chunks where broadcast_id = broadcasts.id)`;
  const change = { state: "done", finishedAt: deps.now() } as const;
  return [
    broadcastEvent(deps, "broadcast.finished", isDone, change),
    deps.db.update(broadcasts).set(change).where(isDone),
  ];
}
