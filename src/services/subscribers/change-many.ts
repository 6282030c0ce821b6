import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Deps } from "../../deps.ts";
import type { Statement } from "../../db/client.ts";
import { SUBSCRIBER_STATUSES } from "../../db/schema/index.ts";
import { shownAfter } from "../../db/subscriber-columns.ts";
import type { ProjectRow } from "../access/index.ts";
import { removeConsents, writeListConsent } from "../topics/index.ts";
import { hasWebhooks } from "../webhooks/index.ts";
import {
  chooseSubscribers,
  MOST_CHANGED,
  runChange,
  type Chosen,
  type Progress,
} from "./choose-subscribers.ts";
import { consentOf } from "./consent-of.ts";
import {
  changeEvent,
  COUNTER_OF_STATUS,
  removeActivity,
  type SubscriberStatus,
} from "./queries.ts";
import { subscriberEvent } from "./subscriber-event.ts";
import { dropTags } from "./tag-queries.ts";
import { countUnsubscriptions } from "./unsubscription-counts.ts";

/**
 * Sets the status of up to 1,000 chosen subscribers with a different one, or deletes them. Takes
 * one atomic batch. A repeated call continues where the last one ended. The route checks
 * `subscribers:write`.
 */
export async function changeMany(
  ctx: Ctx,
  project: ProjectRow,
  chosen: Chosen,
  change: { to: SubscriberStatus } | "delete",
): Promise<Progress> {
  const { deps } = ctx;
  const to = change === "delete" ? undefined : change.to;
  const choice = await chooseSubscribers(ctx, project.id, chosen, { to });
  if (!choice) return { changed: 0, more: false };
  const [before, write] = changesOf(ctx, project.id, choice.ids, to);
  return runChange(deps.db, choice, [...before, write]);
}

/**
 * Returns the change of these subscribers, at most 1,000, and the statements that precede it. `ids`
 * selects those with a status other than `to`. Without `to`, they are deleted.
 */
export function changesOf(ctx: Ctx, projectId: string, ids: SQL, to: SubscriberStatus | undefined) {
  if (to === undefined) return removalOf(ctx.deps, projectId, ids);
  return moveOf(ctx.deps, projectId, ids, to, consentOf(ctx, to));
}

/** Returns the change of these subscribers to a status for which there is a consent, as above. */
export function moveOf(
  deps: Deps,
  projectId: string,
  ids: SQL,
  to: SubscriberStatus,
  { action, proof }: ReturnType<typeof consentOf>,
) {
  const { db } = deps;
  const now = deps.now();
  const before = [
    moveCounters(deps, projectId, ids, to),
    ...(to === "unsubscribed" ? [countUnsubscriptions(db, projectId, ids, now)] : []),
    eventOfMany(deps, projectId, ids, { to, now }),
    writeListConsent(deps, projectId, ids, action, proof),
  ];
  return [before, setStatus(deps, ids, { to, now })] as const;
}

/**
 * Returns the deletion of these subscribers, and the statements that precede it, as in `changesOf`.
 */
export function removalOf(deps: Deps, projectId: string, ids: SQL) {
  const { db } = deps;
  const before = [
    moveCounters(deps, projectId, ids),
    ...removeConsents(db, projectId, ids),
    ...removeActivity(db, projectId, ids),
    dropTags(db, projectId, ids),
  ];
  return [before, db.run(sql`delete from subscribers where id in (${ids})`)] as const;
}

/**
 * Returns the change of subscribers who had unsubscribed back to `unsubscribed`, as in `changesOf`.
 * They keep their original unsubscribe time.
 */
export function returnOf(deps: Deps, projectId: string, ids: SQL) {
  const move = { to: "unsubscribed", now: deps.now(), leftAt: sql`unsubscribed_at` } as const;
  const before = [
    moveCounters(deps, projectId, ids, move.to),
    eventOfMany(deps, projectId, ids, move),
  ];
  return [before, setStatus(deps, ids, move)] as const;
}

/** Moves the subscribers from their counters to that of `to`. It must run before the change. */
function moveCounters({ db }: Deps, projectId: string, ids: SQL, to?: SubscriberStatus): Statement {
  const moved = SUBSCRIBER_STATUSES.map((status) => {
    const counter = COUNTER_OF_STATUS[status];
    const joins = status === to ? sql`was.n` : sql`0`;
    return sql`${counter} = ${counter} + ${joins} - was.${sql.raw(status)}`;
  });
  const counts = SUBSCRIBER_STATUSES.map(
    (status) => sql`count(*) filter (where status = ${status}) as ${sql.raw(status)}`,
  );
  return db.run(
    sql`update project_counters set ${sql.join(moved, sql`, `)} from (
        select count(*) as n, ${sql.join(counts, sql`, `)} from subscribers where id in (${ids})) was
      where project_id = ${projectId}`,
  );
}

/** A change to a status, and its time. */
interface Move {
  to: SubscriberStatus;
  now: number;
  /** The time since which they are unsubscribed, if not `now`. */
  leftAt?: SQL;
}

/** Returns `unsubscribed_at` after a change. */
const leftAfter = ({ to, now, leftAt = sql`${now}` }: Move): SQL =>
  to === "unsubscribed" ? leftAt : sql`unsubscribed_at`;

/** Notifies the project's webhooks of status changes. It must run before the change. */
function eventOfMany(deps: Deps, projectId: string, ids: SQL, move: Move): Statement {
  const { to, now } = move;
  const eventIds = JSON.stringify(Array.from({ length: MOST_CHANGED }, () => deps.newId()));
  const after = { status: sql`${to}`, unsubscribedAt: leftAfter(move), updatedAt: sql`${now}` };
  const changed = sql`select ${shownAfter(after, "s")}, e.value as event_id
    from (select *, row_number() over (order by id) - 1 as n from subscribers
        where id in (${ids}) and ${hasWebhooks(projectId)}) s
      join json_each(${eventIds}) e on e.key = s.n`;
  return subscriberEvent(deps, projectId, changeEvent(to), now, changed);
}

function setStatus({ db }: Deps, ids: SQL, move: Move) {
  const { to, now } = move;
  return db.run(
    sql`update subscribers set status = ${to}, status_before = null, updated_at = ${now},
        unsubscribed_at = ${leftAfter(move)}
      where id in (${ids})`,
  );
}
