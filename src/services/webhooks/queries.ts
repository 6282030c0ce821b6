import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { webhooks } from "../../db/schema/index.ts";
import type { Page } from "../../lib/page.ts";

export type WebhookRow = typeof webhooks.$inferSelect;

/** The number of deliveries deleted per statement, which keeps it within D1's time limit. */
const ROWS_PER_STEP = 500;

export type NewWebhook = Pick<
  WebhookRow,
  "id" | "projectId" | "url" | "host" | "secretSealed" | "events" | "createdAt" | "format"
>;

/** Stores a webhook of an existing project that has fewer than `most`. */
export function insertWebhook(db: Database, webhook: NewWebhook, most: number) {
  const { id, projectId, url, host, secretSealed, events, createdAt, format } = webhook;
  return db.run(
    sql`insert into webhooks (id, project_id, url, host, secret_sealed, events, active, created_at, format)
      select ${id}, ${projectId}, ${url}, ${host}, ${secretSealed}, ${JSON.stringify(events)}, 1, ${createdAt}, ${format}
      where exists (select 1 from projects where id = ${projectId})
        and (select count(*) from webhooks where project_id = ${projectId}) < ${most}`,
  );
}

/** Selects a page of the project's webhooks, newest first. */
export function selectWebhooks(db: Database, projectId: string, { limit, offset }: Page) {
  return db
    .select()
    .from(webhooks)
    .where(eq(webhooks.projectId, projectId))
    .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    .limit(limit)
    .offset(offset);
}

/** Selects one webhook of the project: at most one row. */
export function selectWebhook(db: Database, projectId: string, id: string) {
  return db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), eq(webhooks.projectId, projectId)));
}

/** Returns a condition for a batch: the project has this webhook, and `more` holds for its row. */
export function webhookIs(projectId: string, id: string, more: SQL = sql`true`): SQL {
  return sql`exists (select 1 from webhooks where id = ${id} and project_id = ${projectId} and ${more})`;
}

/** New values of a webhook. Undefined fields stay unchanged. */
export type WebhookChange = Partial<Pick<WebhookRow, "active" | "url" | "host" | "events">>;

/** Returns the fields of a webhook that callers can change. */
export const webhookState = ({ url, events, active }: WebhookRow) => [url, events, active] as const;

/** Returns the condition that a webhook differs from these values. */
export function differsFrom({ active, url, events }: WebhookChange): SQL {
  const differences = [
    active === undefined ? [] : [sql`active <> ${active ? 1 : 0}`],
    url === undefined ? [] : [sql`url <> ${url}`],
    events === undefined ? [] : [sql`events <> ${JSON.stringify(events)}`],
  ].flat();
  return sql`(${sql.join(differences, sql` or `)})`;
}

/** Changes a webhook if `when` is true, and returns its id. Resets its failure count. */
export function updateWebhook(
  db: Database,
  projectId: string,
  id: string,
  change: WebhookChange,
  when: SQL,
) {
  return db
    .update(webhooks)
    .set({ ...change, failures: 0, failingSince: null })
    .where(and(eq(webhooks.id, id), eq(webhooks.projectId, projectId), when))
    .returning({ id: webhooks.id });
}

/** Deletes a webhook and records that its history must be purged. Returns its id if it existed. */
export function deleteWebhookRow(db: Database, projectId: string, id: string, now: number) {
  return [
    db.run(
      sql`insert into webhook_purges (webhook_id, created_at)
        select id, ${now} from webhooks where id = ${id} and project_id = ${projectId}`,
    ),
    db
      .delete(webhooks)
      .where(and(eq(webhooks.id, id), eq(webhooks.projectId, projectId)))
      .returning({ id: webhooks.id }),
  ] as const;
}

/**
 * Returns one bounded step that purges the history of a deleted webhook, and of no other. The step
 * returns a row when nothing is left.
 */
export function purgeStep(db: Database, webhookId: string) {
  return [
    db.run(
      sql`delete from webhook_deliveries where webhook_id = ${webhookId} and id in (
        select d.id from webhook_purges p cross join webhook_deliveries d on d.webhook_id = p.webhook_id
        where p.webhook_id = ${webhookId} limit ${ROWS_PER_STEP})`,
    ),
    db.all<{ webhookId: string }>(
      sql`delete from webhook_purges where webhook_id = ${webhookId}
        and not exists (select 1 from webhook_deliveries where webhook_id = ${webhookId})
        returning webhook_id as "webhookId"`,
    ),
  ] as const;
}

/** Selects webhooks whose history is being purged, oldest first. */
export function selectPurges(db: Database, limit: number) {
  return db.all<{ webhookId: string }>(
    sql`select webhook_id as "webhookId" from webhook_purges order by created_at limit ${limit}`,
  );
}
