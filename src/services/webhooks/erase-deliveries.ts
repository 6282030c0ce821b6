import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/** A cursor over the deliveries of a project: a webhook, and one of its deliveries. */
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

/** Selects the last of the next `limit` deliveries after a cursor, if there are that many. */
export function selectDeliveryEnd(db: Database, { webhookId, id }: DeliveryPlace, limit: number) {
  return db.all<{ id: string }>(
    sql`select id from webhook_deliveries where webhook_id = ${webhookId} and id > ${id}
      order by id limit 1 offset ${limit - 1}`,
  );
}

/**
 * Returns the statements that erase some texts (an address, or a subscriber's id) from the next
 * `limit` deliveries after a cursor. Deliveries with such a text as a value are deleted, delivered
 * or not, even while a worker holds them. From other deliveries, responses that contain such a text
 * are deleted, even if it is part of another address.
 */
export function forgetInDeliveries(
  db: Database,
  { webhookId, id }: DeliveryPlace,
  names: string[],
  limit: number,
) {
  const named = JSON.stringify(names);
  const those = (isNamed: SQL) => sql`webhook_id = ${webhookId} and id in (
    select id from (select id, payload, last_answer from webhook_deliveries
      where webhook_id = ${webhookId} and id > ${id} order by id limit ${limit})
    where exists (select 1 from json_each(${named}) name where ${isNamed}))`;
  const inAnswer = those(sql`instr(last_answer, name.value) > 0`);
  const inPayload = those(sql`instr(payload, '"' || name.value || '"') > 0`);
  return [
    db.run(sql`update webhook_deliveries set last_answer = null where ${inAnswer}`),
    db.run(sql`delete from webhook_deliveries where ${inPayload}`),
  ] as const;
}
