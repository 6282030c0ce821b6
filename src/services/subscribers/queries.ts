import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Database, Statement } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES, subscribers } from "../../db/schema/index.ts";
import {
  namesOf,
  newValues,
  selected,
  shownAfter,
  type SubscriberFields,
} from "../../db/subscriber-columns.ts";
import { projectExists } from "../projects/index.ts";
import {
  removeConsents,
  writeListConsent,
  type ConsentAction,
  type ConsentProof,
} from "../topics/index.ts";
import { isErased, withHashes } from "../suppressions/index.ts";
import { hasWebhooks } from "../webhooks/index.ts";
import { subscriberEvent } from "./subscriber-event.ts";
import { dropTags, indexTags } from "./tag-queries.ts";
import { countInBroadcast, countUnsubscriptions } from "./unsubscription-counts.ts";

export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];
export type SubscriberRow = typeof subscribers.$inferSelect;

/** A new subscriber before its insert. Its timestamps are the `now` of the write. */
export type NewSubscriber = Pick<SubscriberRow, "id" | "email" | "status"> &
  Partial<SubscriberFields & Pick<SubscriberRow, "source" | "importId">>;

/**
 * The counter of each status in `project_counters`. Each write updates it together with its rows.
 */
export const COUNTER_OF_STATUS = {
  active: sql.raw("subscribers_active"),
  pending: sql.raw("subscribers_pending"),
  unsubscribed: sql.raw("subscribers_unsubscribed"),
} satisfies Record<SubscriberStatus, SQL>;

export const ownSubscriber = (projectId: string | SQL, id: string) =>
  and(eq(subscribers.projectId, projectId), eq(subscribers.id, id));

/**
 * Returns the statements that add subscribers whose email is neither in the project nor erased from
 * it, count them by status and notify webhooks. The emails must be distinct. They do nothing
 * unless `when` holds.
 */
export function insertSubscribers(
  deps: Deps,
  projectId: string,
  rows: NewSubscriber[],
  now: number,
  when: SQL = projectExists(projectId),
) {
  const { db, config } = deps;
  const list = JSON.stringify(
    rows.map((row) => withHashes(config, { ...row, eventId: deps.newId() })),
  );
  const moved = Object.entries(COUNTER_OF_STATUS).map(
    ([status, counter]) => sql`${counter} = ${counter} + fresh.${sql.raw(status)}`,
  );
  const fresh = SUBSCRIBER_STATUSES.map(
    (status) => sql`count(*) filter (where value ->> 'status' = ${status}) as ${sql.raw(status)}`,
  );
  const isStorable = sql`not ${isErased(config, projectId)}`;
  const isNew = sql`not exists (
    select 1 from subscribers where project_id = ${projectId} and email = value ->> 'email') and ${isStorable}`;
  const values = newValues(projectId, now);
  return [
    db.run(
      sql`update project_counters set ${sql.join(moved, sql`, `)} from (
          select ${sql.join(fresh, sql`, `)} from json_each(${list}) where ${when} and ${isNew}) fresh
        where project_id = ${projectId}`,
    ),
    subscriberEvent(
      deps,
      projectId,
      "subscriber.created",
      now,
      sql`select ${selected(values)}, value ->> 'eventId' as event_id from json_each(iif(${when} and ${hasWebhooks(projectId)}, ${list}, '[]')) where ${isNew}`,
    ),
    db.run(
      sql`insert into subscribers (${namesOf(values)})
        select ${selected(values)} from json_each(${list}) where ${when} and ${isStorable}
        on conflict (project_id, email) do nothing`,
    ),
    ...(rows.some(({ tags = [] }) => tags.length > 0)
      ? [indexTags(db, sql`select value ->> 'id' from json_each(${list})`)]
      : []),
  ] as const;
}

/** The previous statuses that a change accepts. Only an actual change updates counters. */
export interface StatusChange {
  to: SubscriberStatus;
  /** The only accepted previous status. If undefined, any status other than the new one. */
  from?: SubscriberStatus;
  /** True if the subscriber initiated the change. It can then be undone. */
  isUndoable?: true;
  when?: SQL;
  /** The broadcast whose mail led to the change. */
  broadcastId?: string | undefined;
  /**
   * The event of the change; null if the caller emits it with another statement. Undefined means
   * `subscriber.unsubscribed` or `subscriber.updated`, depending on the status.
   */
  event?: "subscriber.confirmed" | null | undefined;
  /** The entry to add to the subscriber's consent history. */
  consent?: { action: ConsentAction; proof: ConsentProof } | undefined;
}

/**
 * Returns the statements that change a subscriber's status, update the counters and notify
 * webhooks. The last returns the row if it changed. `unsubscribed_at` is set to `now` by
 * "unsubscribed" and kept by other statuses.
 */
export function changeStatus(
  deps: Deps,
  projectId: string,
  id: string,
  { to, from, isUndoable, when = sql`true`, broadcastId, event, consent }: StatusChange,
  now: number,
): Statement[] {
  const { db } = deps;
  const isLeft = from === undefined ? sql`status <> ${to}` : sql`status = ${from}`;
  const leaves = sql`${isLeft} and ${when}`;
  const update = db
    .update(subscribers)
    .set({
      status: to,
      updatedAt: now,
      statusBefore: isUndoable ? sql`status` : null,
      ...(to === "unsubscribed" ? { unsubscribedAt: now } : {}),
      ...(broadcastId === undefined ? {} : { leftBy: ownBroadcast(projectId, broadcastId) }),
    })
    .where(and(ownSubscriber(projectId, id), leaves))
    .returning({ id: subscribers.id });
  const counted = moveCounters(db, projectId, id, leaves, to);
  const told = event === null ? [] : [statusEvent(deps, projectId, id, { to, leaves, event }, now)];
  const leaving = sql`select id from subscribers
    where id = ${id} and +project_id = ${projectId} and ${leaves}`;
  if (consent) told.push(writeListConsent(deps, projectId, leaving, consent.action, consent.proof));
  if (to !== "unsubscribed") return [counted, ...told, update];
  const noted = [
    countUnsubscriptions(db, projectId, leaving, now),
    ...(broadcastId === undefined ? [] : [countInBroadcast(db, projectId, broadcastId, leaving)]),
  ];
  return [counted, ...noted, ...told, update];
}

/** Notifies webhooks of a status change. It must run before the change. */
function statusEvent(
  deps: Deps,
  projectId: string,
  id: string,
  { to, leaves, event }: Pick<StatusChange, "to" | "event"> & { leaves: SQL },
  now: number,
): Statement {
  const at = sql`${now}`;
  const left = to === "unsubscribed" && { unsubscribedAt: at };
  const changed = sql`select ${shownAfter({ status: sql`${to}`, updatedAt: at, ...left })}, ${deps.newId()} as event_id
    from subscribers where id = ${id} and +project_id = ${projectId} and ${leaves} and ${hasWebhooks(projectId)}`;
  return subscriberEvent(deps, projectId, event ?? changeEvent(to), now, changed);
}

/** Returns the event type of a change to a status. */
export function changeEvent(to: SubscriberStatus) {
  return to === "unsubscribed" ? "subscriber.unsubscribed" : "subscriber.updated";
}

/**
 * Returns the broadcast id if it belongs to the project, or else the broadcast of an earlier
 * unsubscribe.
 */
const ownBroadcast = (projectId: string, id: string): SQL =>
  sql`coalesce((select b.id from broadcasts b
    where b.id = ${id} and b.project_id = ${projectId} and b.kind in ('broadcast', 'automation')), left_by)`;

/**
 * Returns the statements that delete a subscriber, update the counter, and then delete its related
 * rows. The third returns its id if it existed.
 */
export function removeSubscriber(db: Database, projectId: string, id: string) {
  return [
    moveCounters(db, projectId, id, sql`true`),
    dropTags(db, projectId, sql`select ${id}`),
    db.delete(subscribers).where(ownSubscriber(projectId, id)).returning({ id: subscribers.id }),
    ...removeConsents(db, projectId, sql`select ${id}`),
    ...removeActivity(db, projectId, sql`select ${id}`),
  ] as const;
}

/**
 * Returns the statements that delete the events of the subscribers that `ids` selects, and what
 * their runs of automations know of them. A run that waits for the person ends at its next move.
 */
export const removeActivity = (db: Database, projectId: string, ids: SQL): Statement[] => [
  db.run(sql`delete from events where project_id = ${projectId} and subscriber_id in (${ids})`),
  db.run(
    sql`update automation_runs set data = null, due_at = coalesce(due_at, iif(ended_at is null, 0, null))
      where subscriber_id in (${ids}) and +project_id = ${projectId}`,
  ),
];

/**
 * Moves a subscriber from the counter of its status to that of `to`. It must run before the change.
 */
function moveCounters(
  db: Database,
  projectId: string,
  id: string,
  leaves: SQL,
  to?: SubscriberStatus,
): Statement {
  const moved = SUBSCRIBER_STATUSES.map((status) => {
    const counter = COUNTER_OF_STATUS[status];
    const joins = status === to ? 1 : 0;
    return sql`${counter} = ${counter} + ${joins} - (was.status = ${status})`;
  });
  return db.run(
    sql`update project_counters set ${sql.join(moved, sql`, `)} from (
        select status from subscribers where project_id = ${projectId} and id = ${id} and ${leaves}) was
      where project_id = ${projectId}`,
  );
}

/** Selects the project's subscriber with this id: at most one row. */
export function selectSubscriber(db: Database, projectId: string | SQL, id: string) {
  return db.select().from(subscribers).where(ownSubscriber(projectId, id));
}

/** Selects the project's subscriber with this email: at most one row. */
export function selectSubscriberByEmail(db: Database, projectId: string | SQL, email: string) {
  return db
    .select()
    .from(subscribers)
    .where(and(eq(subscribers.projectId, projectId), eq(subscribers.email, email)));
}

/** Returns the condition that the project has a subscriber with this address. */
export function isSubscribed(projectId: string, email: SQL): SQL {
  return sql`exists (select 1 from subscribers where project_id = ${projectId} and email = ${email})`;
}
