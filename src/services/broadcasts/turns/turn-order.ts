import { sql, type SQL } from "drizzle-orm";
import type { WaitingFor } from "../../../db/schema/index.ts";
import { audienceSettingOf } from "../../projects/index.ts";
import type { BroadcastRow } from "../queries.ts";

/** A broadcast that is to send: its ids, or SQL for them. */
interface Wanting {
  id: string | SQL;
  projectId: string | SQL;
}

/**
 * Returns SQL, as JSON, for the broadcast that another one of its project has to wait for. Null if
 * there is none. With `min_days_between_broadcasts`, the broadcasts of a project take turns. The
 * rule sees only accepted mails, so two broadcasts that send at the same time would both reach the
 * same person. A broadcast that takes days on purpose, because of its pace or time zones, holds up
 * no other. Neither do later attempts at deferred mails. A paused or cancelled broadcast holds up
 * others while a worker still has mails of it in hand. Rows read: the broadcasts of the project
 * that are sending, and the claimed chunks.
 */
export function blockerOf({ id, projectId }: Wanting): SQL {
  const isOther = sql`other.project_id = ${projectId} and other.kind = 'broadcast' and other.id <> ${id}`;
  return sql`iif(${audienceSettingOf(projectId, "minDaysBetweenBroadcasts")} = 0, null, (
    select json_object('broadcastId', blocker.id, 'name', coalesce(nullif(blocker.name, ''), blocker.subject)) from (
      select other.id, other.name, other.subject from broadcasts other indexed by broadcasts_by_state
        where other.state = 'sending' and ${isOther} and other.per_hour is null
          and other.plan ->> '$.warmUpFirstDay' is null and other.plan ->> '$.timeZone' is null
          and (other.planned_id < other.cutoff_id or exists (
            select 1 from broadcast_chunks chunk where chunk.broadcast_id = other.id and chunk.attempt = 0))
      union all
      select other.id, other.name, other.subject from broadcast_chunks hand
          cross join broadcasts other on other.id = hand.broadcast_id
        where hand.state = 'claimed' and other.state in ('paused', 'cancelled') and ${isOther}
    ) blocker order by blocker.id limit 1))`;
}

/**
 * Returns the columns of a broadcast that starts or resumes: it sends, or it is queued until its
 * turn. One write decides, so of several broadcasts that start at the same moment, one begins.
 */
export function stateInTurn(wanting: Wanting) {
  const blocker = blockerOf(wanting);
  return {
    state: sql<BroadcastRow["state"]>`iif(${blocker} is null, 'sending', 'queued')`,
    waitingFor: sql<WaitingFor | null>`${blocker}`,
  };
}

/** The `turnAt` of a broadcast that has begun, although no worker may have taken a turn yet. */
export const HAS_BEGUN = sql<number>`max(turn_at, 1)`;
