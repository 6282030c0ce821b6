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
  CANARY_MARK,
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
export const AFTER_IDS = "~";

/** Returns SQL for the number of subscribers that planning a broadcast will find. */
export function plannedSize(broadcast: BroadcastRow): SQL<number> {
  if (!resentTo(broadcast)) return sizeOf({ ...broadcast, leavesOutMailed: true });
  const whole = { ...broadcast, plannedId: "", cutoffId: AFTER_IDS };
  return sql`(select count(*) from (${stretch(whole)}))`;
}

/**
 * Plans the next stretch of a broadcast in one statement. `members` selects its recipients as `id`,
 * each with the `mark` of the part that it belongs to, when the part is `due`, its `variant`, and
 * whether the part `is_listed`. A part that lists its recipients has chunks of at most `listSize`.
 * The others are ranges of ids; those without a variant leave out who is listed. Does nothing if
 * the stretch is planned. `updatePlanned` follows in the same batch. Rows read: the stretch.
 */
export function insertChunks(
  db: Database,
  broadcast: BroadcastRow,
  members: SQL,
  { listSize, now }: PlanStep,
) {
  const { id, plannedId } = broadcast;
  return db.all<{ afterId: string; dueAt: number }>(
    sql`insert into broadcast_chunks (broadcast_id, after_id, until_id, cursor_id, state, due_at, lease_token, in_flight, again, deferred, variant, left_out)
      with members as materialized (${members}), parts as (
        select *, iif(is_listed, cast((row_number() over (partition by mark order by id) - 1) / ${listSize} as integer), 0) as n
        from members)
      select ${id}, iif(mark = '', ${plannedId}, mark || ${plannedId} || '/' || n), iif(is_listed, '', max(id)), iif(is_listed, '', ${plannedId}),
        'pending', cast(max(${now}, due) as integer), '', '[]', iif(is_listed, json_group_array(json_object('id', id, 'error', '')), '[]'), '[]',
        variant, iif(mark = '', (select nullif(json_group_array(id), '[]') from members where is_listed), null)
      from parts
      where ${isPlannedTo(broadcast)}
      group by mark, n
      returning after_id as "afterId", due_at as "dueAt"`,
  );
}

/**
 * Returns the members of a broadcast that everybody gets at once. If the audience gets a canary,
 * short runs of recipients at regular distances are a part of their own, and the others wait for
 * its check. `start` (a fraction of the distance) sets where the first run begins.
 */
export function membersWithCanary(
  broadcast: BroadcastRow,
  { size, now }: PlanStep,
  start: number,
): SQL {
  const { id, plannedId, canaryDueAt } = broadcast;
  const isFirst = plannedId === "";
  const wanted = canaryDueAt > 0 ? 1 : 0;
  const hasOne = isFirst ? sql`(${wanted} and total > ${WITHOUT_CANARY_MAX})` : sql`${wanted}`;
  // The first stretch is the whole audience, unless the audience is long enough for 1 in 100.
  const period = isFirst ? sql`min(total / ${PLACES_MIN}, ${PERIOD})` : sql`${PERIOD}`;
  const isChecked = sql`coalesce((select canary_due_at from broadcasts where id = ${id}), 0) = 0`;
  return sql`select id, iif(is_listed, ${CANARY_MARK}, '') as mark, null as variant, is_listed,
      iif(has_canary and not is_listed and not ${isChecked}, ${NOT_YET}, ${now}) as due
    from (
      select id, has_canary, has_canary and (nth + period - cast(period * ${start} as integer)) % period < ${TOGETHER} as is_listed
      from (
        select id, nth, ${hasOne} as has_canary, cast(${period} as integer) as period from (
          select id, row_number() over (order by id) - 1 as nth, count(*) over () as total
          from (${stretch(broadcast)} limit ${size}))))`;
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
