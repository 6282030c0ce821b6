import { and, eq, getTableColumns, ne, sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { broadcasts } from "../../db/schema/index.ts";
import { eventOf } from "./claim-queries.ts";

type Event = Record<string, unknown>;

/**
 * Selects a broadcast, or the mails of an automation's step with the event of the subscriber's
 * newest run, for the view of a mail in the browser: at most one row.
 */
export function selectViewed(
  db: Database,
  {
    projectId,
    broadcastId,
    subscriberId,
  }: Record<"projectId" | "broadcastId" | "subscriberId", string>,
) {
  const event = eventOf(
    { automationId: sql`broadcasts.automation_id`, page: "" },
    sql`${subscriberId}`,
  );
  return db
    .select({
      ...getTableColumns(broadcasts),
      event: sql`${event}`.mapWith((data: string): Event | null => JSON.parse(data) as Event),
    })
    .from(broadcasts)
    .where(
      and(
        eq(broadcasts.id, broadcastId),
        eq(broadcasts.projectId, projectId),
        ne(broadcasts.kind, "batch"),
      ),
    );
}
