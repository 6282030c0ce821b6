import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { uuidFloor } from "../../lib/ids.ts";
import type { DeliveryRow } from "./delivery-queries.ts";

/** A span of time in milliseconds, the end exclusive. */
export interface Span {
  from: number;
  to: number;
}

/** The maximum number of deliveries of one webhook examined per span. */
const EXAMINED_MAX = 200;

/**
 * Selects the deliveries about a mail that were created within one of the spans. Deliveries are not
 * indexed by mail, so the search examines the first 200 deliveries of each webhook in a span.
 */
export function selectDeliveriesAbout(
  db: Database,
  projectId: string,
  logId: string,
  spans: Span[],
) {
  const bounds = spans.map(({ from, to }) => [uuidFloor(Math.max(0, from)), uuidFloor(to)]);
  return db.all<DeliveryRow & { webhookId: string }>(
    sql`select distinct d.webhook_id as "webhookId", d.id, d.event_type as "eventType", d.status, d.attempts - (d.status = 'inflight') as attempts,
        d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.due_at as "dueAt",
        d.delivered_at as "deliveredAt", d.created_at as "createdAt"
      from json_each(${JSON.stringify(bounds)}) span cross join webhooks w on w.project_id = ${projectId}
        cross join webhook_deliveries d on d.webhook_id = w.id and d.id in (
          select id from webhook_deliveries where webhook_id = w.id
            and id >= span.value ->> 0 and id < span.value ->> 1 order by id limit ${EXAMINED_MAX})
      where d.payload ->> '$.data.log_id' = ${logId} order by d.id`,
  );
}
