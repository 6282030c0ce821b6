import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { notOpened } from "../email-log/index.ts";
import { planningStart } from "./joined-late.ts";
import { sizeOf, type BroadcastRow } from "./queries.ts";
import { isInSlice, isTesting } from "./ab-test/slices.ts";
import {
  hasCanary,
  NOT_YET,
  PLACES_MIN,
  canaryKey,
  TOGETHER,
  WITHOUT_CANARY_MAX,
} from "./canary.ts";
import { walk } from "./walk-queries.ts";

export interface PlanStep {
  chunks: number;
  size: number;
  now: number;
}

/**
 * Returns SQL for the next stretch of a broadcast's audience: the ids above `plannedId`, in order.
 * After an A/B test, it contains only subscribers outside the test.
 */
export function stretch(broadcast: BroadcastRow): SQL {
  const { plannedId, cutoffId, winner } = broadcast;
  const rest = winner === null ? sql`` : sql` and ${isInSlice(broadcast, null)}`;
  return walk(
    { ...broadcast, leavesOutMailed: true },
    { first: plannedId, last: cutoffId },
    (id) => {
      const missed = isToMissed(broadcast) ? sql` and ${id} in (${missedOf(broadcast)})` : sql``;
      return sql`${id} > ${plannedId} and ${id} <= ${cutoffId}${rest}${missed}`;
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

/** Returns true for a broadcast to those who did not open another one. */
const isToMissed = ({ plan }: Pick<BroadcastRow, "plan">): boolean =>
  plan?.resend?.to === "not_opened";

/**
 * Returns true for a broadcast whose chunks list their recipients because it follows up on another
 * one. Claims do not check again who opened or received that one.
 */
export const namesRecipients = ({ plan }: Pick<BroadcastRow, "plan">): boolean =>
  plan?.resend != null;

const missedOf = ({ projectId, plan }: BroadcastRow): SQL =>
  notOpened(projectId, plan?.resend?.of ?? "");

/** A text that sorts after every id. */
const AFTER_IDS = "~";

/** Returns SQL for the number of subscribers that planning a broadcast will find. */
export function plannedSize(broadcast: BroadcastRow): SQL<number> {
  if (!isToMissed(broadcast)) return sizeOf({ ...broadcast, leavesOutMailed: true });
  const whole = { ...broadcast, plannedId: "", cutoffId: AFTER_IDS };
  return sql`(select count(*) from (${stretch(whole)}))`;
}

/**
 * Plans the next chunks of a broadcast in one statement: up to `chunks` of `size` subscribers each.
 * If the audience gets a canary, moves short runs of recipients at regular distances from the
 * chunks into one separate chunk. `start` (a fraction of the distance) sets where the first run
 * begins. The other chunks then wait for the canary's check. Does nothing if another planner was
 * faster. `updatePlanned` follows in the same batch. Rows read: the stretch.
 */
export function insertNextChunks(
  db: Database,
  broadcast: BroadcastRow,
  { chunks, size, now, start = 0 }: PlanStep & { start?: number },
) {
  const { id, plannedId, canaryDueAt } = broadcast;
  const isFirst = plannedId === "";
  const wanted = canaryDueAt > 0 ? 1 : 0;
  const sampled = isFirst ? sql`(${wanted} and total > ${WITHOUT_CANARY_MAX})` : sql`${wanted}`;
  // The first stretch is the whole audience, unless the audience is long enough for 1 in 100.
  const least = isFirst ? sql`min(total / ${PLACES_MIN}, ${size})` : sql`${size}`;
  const dueAt = sql`iif(has_canary and not is_canary and (select canary_due_at from broadcasts where id = ${id}) > 0, ${NOT_YET}, ${now})`;
  return db.all<{ afterId: string; dueAt: number }>(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred)
      select ${id}, iif(is_canary, ${canaryKey(plannedId)}, after_id), iif(is_canary, ${canaryKey(plannedId)}, until_id),
        iif(is_canary, ${canaryKey(plannedId)}, after_id), 'pending', ${dueAt}, '', '[]', coalesce(again, '[]'), '[]'
      from (
        select has_canary, is_canary, min(previous) as after_id, max(id) as until_id,
          json_group_array(json_object('id', id, 'error', '')) filter (where is_canary) as again
        from (
          select id, previous, has_canary, place / period as n, has_canary and place % period < ${TOGETHER} as is_canary
          from (
            select id, previous, has_canary, period, nth + period - cast(period * ${start} * has_canary as integer) as place
            from (
              select id, previous, nth, ${sampled} as has_canary, cast(iif(${sampled}, ${least}, ${size}) as integer) as period
              from (
                select id, lag(id, 1, ${plannedId}) over (order by id) as previous,
                  row_number() over (order by id) - 1 as nth, count(*) over () as total
                from (${stretch(broadcast)} limit ${chunks * size})))))
        group by is_canary, iif(is_canary, 0, n))
      where ${isPlannedTo(broadcast)}
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
