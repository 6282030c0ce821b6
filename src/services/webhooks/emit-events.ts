import { sql, type SQL } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import { runBatch, type Database, type Statement } from "../../db/client.ts";
import { followUp, type FollowUp } from "../../db/follow-up.ts";
import { isoTime } from "../../db/iso-time.ts";
import type { InBatch } from "../../db/statement.ts";
import { errorText, logLine } from "../../lib/log-line.ts";
import { hasRoom, noteStored } from "../storage/index.ts";
import { RETURNING_WRITTEN, type Written } from "./delivery-queries.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/** The events that a webhook may subscribe to (API reference §15.2). */
export const SUBSCRIBABLE_EVENTS = [
  "email.sent",
  "email.failed",
  "email.opened",
  "email.clicked",
  "subscriber.created",
  "subscriber.unsubscribed",
  "email.bounced",
  "email.complained",
  "subscriber.confirmed",
  "subscriber.updated",
  "broadcast.started",
  "broadcast.finished",
  "broadcast.paused",
  "email.delivery_delayed",
  "email.suppressed",
  "email.scheduled",
  "automation.step",
] as const;

/** Every event type. The last one goes only to a webhook under test. */
export type EventType = (typeof SUBSCRIBABLE_EVENTS)[number] | "webhook.test";

/**
 * Returns the single statement that turns events into deliveries, one for each active webhook
 * subscribed to them, and none while the storage is full or the workspace has used up its quota. It
 * must run in the same batch as the change that it reports. The batch wakes the dispatcher for the
 * deliveries. `source` selects `id` (a UUIDv7 of `Deps.newId`), `type`, `project_id`, `at`
 * (milliseconds) and `data` (JSON text). For events of one known project, it adds `and
 * ${hasWebhooks(projectId)}`, so a project without webhooks costs nothing. With `projectId`, the
 * project of all events, the quota is read once, and otherwise for each event. With `url`, webhooks
 * with this URL receive the events instead of those subscribed to them.
 */
export function eventStatement(
  deps: Deps,
  source: SQL,
  projectId?: string,
  url?: string,
): Statement {
  const at = sql`${deps.now()}`;
  const quota = sql`${deps.config.workspaceStorageBytes}`;
  const of = projectId === undefined ? sql`e.project_id` : sql`${projectId}`;
  return waking(deps, insertDeliveries(deps.db, source, { at, quota, projectId: of }, url));
}

/** Returns the statement of `eventStatement`, to be passed to `waking`. */
export function insertDeliveries(
  db: Database,
  source: SQL,
  { at, quota, projectId }: Record<"at" | "quota" | "projectId", SQL>,
  url?: string,
) {
  const isReceiver =
    url === undefined
      ? sql`(w.events = '[]' or exists (select 1 from json_each(w.events) where value = e.type))`
      : sql`w.url = ${url}`;
  return db.all<Written>(
    sql`insert into webhook_deliveries (webhook_id, id, project_id, event_id, event_type, payload, status, due_at, created_at)
      select w.id, substr(e.id, 1, 24) || lower(hex(randomblob(6))), e.project_id, e.id, e.type,
        json_object('id', e.id, 'type', e.type, 'created_at', ${isoTime(sql`e.at`)}, 'project_id', e.project_id, 'data', json(e.data)),
        'pending', ${at}, ${at}
      from (${source}) e cross join webhooks w on w.project_id = e.project_id
      where w.active and ${isReceiver} and ${hasRoom(projectId, at, quota)}
      ${RETURNING_WRITTEN}`,
  );
}

/**
 * Makes the batch of a statement wake the dispatcher for the deliveries that it writes, and count
 * them toward the quota.
 */
export function waking(
  deps: Deps,
  statement: InBatch<ReturnType<typeof insertDeliveries>>,
): Statement {
  followUp(statement, wakerOf(deps));
  return statement;
}

/** Returns a condition for a batch: the project has an active webhook. */
export function hasWebhooks(projectId: string | SQL): SQL {
  return sql`exists (select 1 from webhooks where project_id = ${projectId} and active)`;
}

/**
 * Selects the number of the project's active webhooks, each of which may receive an event: one row.
 */
export function countWebhooks(db: Database, projectId: string) {
  return db.all<{ webhooks: number }>(
    sql`select count(*) as webhooks from webhooks where project_id = ${projectId} and active`,
  );
}

/** One waker per Deps, so that a batch with several event statements wakes the dispatcher once. */
const wakers = new WeakMap<Deps, FollowUp<Written>>();

/**
 * Returns the follow-up that wakes the dispatcher for the deliveries of a batch, after the
 * response. A lost wake-up costs up to a minute but never a delivery, because the sweep finds due
 * deliveries.
 */
function wakerOf(deps: Deps): FollowUp<Written> {
  const known = wakers.get(deps);
  if (known) return known;
  const waker: FollowUp<Written> = (rows) => {
    const webhookIds = new Set(rows.map(({ webhookId }) => webhookId));
    if (webhookIds.size === 0) return;
    deps.waitUntil(wakeWebhooks(deps, [...webhookIds]));
    deps.waitUntil(noteDeliveries(deps, rows));
  };
  wakers.set(deps, waker);
  return waker;
}

/**
 * Adds written deliveries to their projects' recorded storage. Never throws: the next measurement
 * corrects it.
 */
async function noteDeliveries(deps: Deps, rows: Written[]): Promise<void> {
  const stored = new Map<string, number>();
  for (const { projectId, bytes } of rows)
    stored.set(projectId, (stored.get(projectId) ?? 0) + bytes);
  try {
    await runBatch(
      deps.db,
      [...stored].flatMap(([projectId, bytes]) => noteStored(deps, projectId, bytes)),
    );
  } catch (error) {
    logLine("warn", "stored_bytes_not_noted", { error: errorText(error) });
  }
}
