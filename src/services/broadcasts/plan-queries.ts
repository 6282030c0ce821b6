import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { planningStart, resentTo } from "./resends.ts";
import { sizeOf, type BroadcastRow } from "./queries.ts";
import { isInSlice, isTesting } from "./ab-test/slices.ts";
import {
  hasCanary,
  NOT_YET,
  PERIOD,
  PLACES_MIN,
  canaryKey,
  TOGETHER,
  WITHOUT_CANARY_MAX,
} from "./canary.ts";
import { walk } from "./walk-queries.ts";

/** The most recipients in a chunk that lists them: each write of the chunk repeats the list. */
export const LIST_SIZE = 500;

export interface PlanStep {
  /** The subscribers of the step. */
  size: number;
  /** The most recipients that one chunk lists. */
  listSize: number;
  now: number;
}

/**
 * Returns SQL for the next stretch of a broadcast's audience: the ids above `plannedId`, in order.
 * After an A/B test, it contains only subscribers outside the test.
 */
export function stretch(broadcast: BroadcastRow): SQL {
  const { plannedId, cutoffId, winner } = broadcast;
  const named = resentTo(broadcast);
  const rest = winner === null ? sql`` : sql` and ${isInSlice(broadcast, null)}`;
  return walk(
    { ...broadcast, leavesOutMailed: true },
    { first: plannedId, last: cutoffId },
    (id) => {
      const isNamed = named ? sql` and ${id} in (${named})` : sql``;
      return sql`${id} > ${plannedId} and ${id} <= ${cutoffId}${rest}${isNamed}`;
    },
  );
}

/**
 * Returns SQL that is true while a broadcast sends and no other planner has advanced it. The choice
 * of a winner begins a second planning at the same id, so the winner is part of the condition.
 * Chunks planned after a cancellation could wait forever.
 */
export const isPlannedTo = ({ id, plannedId, winner }: BroadcastRow): SQL =>
  sql`exists (select 1 from broadcasts b where b.id = ${id} and b.state = 'sending' and b.planned_id = ${plannedId} and b.winner is ${winner})`;

/**
 * Returns true for a broadcast whose chunks list their recipients because it follows up on another
 * one. Claims do not check again who opened or received that one.
 */
export const namesRecipients = ({ plan }: Pick<BroadcastRow, "plan">): boolean =>
  plan?.resend != null;

/** A text that sorts after every id. */
const AFTER_IDS = "~";

/** Returns SQL for the number of subscribers that planning a broadcast will find. */
export function plannedSize(broadcast: BroadcastRow): SQL<number> {
  if (!resentTo(broadcast)) return sizeOf({ ...broadcast, leavesOutMailed: true });
  const whole = { ...broadcast, plannedId: "", cutoffId: AFTER_IDS };
  return sql`(select count(*) from (${stretch(whole)}))`;
}

/**
 * Plans the next stretch of a broadcast in one statement: a chunk with its range of ids. If the
 * audience gets a canary, short runs of recipients at regular distances get a chunk of their own,
 * which lists them, and the other one waits for its check. `start` (a fraction of the distance)
 * sets where the first run begins. Does nothing if the stretch is planned. `updatePlanned` follows
 * in the same batch. Rows read: the stretch.
 */
export function insertNextChunks(
  db: Database,
  broadcast: BroadcastRow,
  { size, now, start = 0 }: PlanStep & { start?: number },
) {
  const { id, plannedId, canaryDueAt } = broadcast;
  const isFirst = plannedId === "";
  const wanted = canaryDueAt > 0 ? 1 : 0;
  const sampled = isFirst ? sql`(${wanted} and total > ${WITHOUT_CANARY_MAX})` : sql`${wanted}`;
  // The first stretch is the whole audience, unless the audience is long enough for 1 in 100.
  const period = isFirst ? sql`min(total / ${PLACES_MIN}, ${PERIOD})` : sql`${PERIOD}`;
  const dueAt = sql`iif(has_canary and not is_canary and (select canary_due_at from broadcasts where id = ${id}) > 0, ${NOT_YET}, ${now})`;
  return db.all<{ afterId: string; dueAt: number }>(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred, left_out)
      with counted as (
        select id, row_number() over (order by id) - 1 as nth, count(*) over () as total
        from (${stretch(broadcast)} limit ${size})
      ), placed as (
        select id, ${sampled} as has_canary, cast(${period} as integer) as period, nth from counted
      ), stretch as materialized (
        select id, has_canary,
          has_canary and (nth + period - cast(period * ${start} as integer)) % period < ${TOGETHER} as is_canary
        from placed
      )
      select ${id}, iif(is_canary, ${canaryKey(plannedId)}, ${plannedId}), iif(is_canary, ${canaryKey(plannedId)}, max(id)),
        iif(is_canary, ${canaryKey(plannedId)}, ${plannedId}), 'pending', ${dueAt}, '', '[]',
        iif(is_canary, json_group_array(json_object('id', id, 'error', '')), '[]'), '[]',
        iif(has_canary and not is_canary, (select json_group_array(id) from stretch where is_canary), null)
      from stretch
      where ${isPlannedTo(broadcast)}
      group by is_canary
      returning after_id as "afterId", due_at as "dueAt"`,
  );
}

/**
 * Records the progress of planning. If the first stretch has no canary, also records that no check
 * is needed. If it has no test recipients, records that no winner will be chosen. Returns no row if
 * another planner was faster.
 */
export function updatePlanned(
  db: Database,
  broadcast: BroadcastRow,
  subscribers: number,
  planDueAt: number,
) {
  const last = sql`(${stretch(broadcast)} limit 1 offset ${subscribers - 1})`;
  const isAbTestStart = isTesting(broadcast) && broadcast.plannedId === planningStart(broadcast);
  const decidesAt = sql`iif(exists (${stretch(broadcast)} limit 1), decides_at, 0)`;
  return db
    .update(broadcasts)
    .set({
      plannedId: sql`coalesce(${last}, ${broadcast.cutoffId})`,
      canaryDueAt: sql`iif(${broadcast.plannedId} = '' and not ${hasCanary()}, 0, canary_due_at)`,
      planDueAt,
      ...(isAbTestStart ? { decidesAt } : {}),
    })
    .where(and(eq(broadcasts.id, broadcast.id), isPlannedTo(broadcast)))
    .returning({ plannedId: broadcasts.plannedId });
}
