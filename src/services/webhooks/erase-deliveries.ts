import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** A place in the deliveries of a project: a webhook, and a delivery of it. */
export interface DeliveryPlace {
  webhookId: string;
  id: string;
}

/** Selects the webhook of a project at or after an id: at most one row. */
export function selectWebhookFrom(db: Database, projectId: string, id: string) {
  return db.all<{ id: string }>(
    sql`select id from webhooks where project_id = ${projectId} and id >= ${id} order by id limit 1`,
  );
}

/** Selects the last of the next `limit` deliveries after a place, if there are that many. */
export function selectDeliveryEnd(db: Database, { webhookId, id }: DeliveryPlace, limit: number) {
  return db.all<{ id: string }>(
    sql`select id from webhook_deliveries where webhook_id = ${webhookId} and id > ${id}
      order by id limit 1 offset ${limit - 1}`,
  );
}

/**
 * Removes those of the next `limit` deliveries after a place that contain one of these texts (an
 * address, or the id of a subscriber) as a value, delivered or not. A worker that holds such a
 * delivery finds it gone.
 */
export function deleteDeliveriesNaming(
  db: Database,
  { webhookId, id }: DeliveryPlace,
  names: string[],
  limit: number,
) {
  const named = JSON.stringify(names);
  return db.run(
    sql`delete from webhook_deliveries where webhook_id = ${webhookId} and id in (
      select id from (select id, payload, last_answer from webhook_deliveries
        where webhook_id = ${webhookId} and id > ${id} order by id limit ${limit})
      where exists (select 1 from json_each(${named}) name
        where instr(payload, '"' || name.value || '"') > 0 or instr(last_answer, name.value) > 0))`,
  );
}
