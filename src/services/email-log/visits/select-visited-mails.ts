import { sql } from "drizzle-orm";
import type { Database } from "../../../db/client.ts";
import { storedIdSql } from "../stored-form.ts";

/** A mail before its visits are recorded. Flags are 0 or 1. */
export interface VisitedMail {
  logId: string;
  isUnopened: number;
  isUnclicked: number;
  isOfBroadcast: number;
  isToSubscriber: number;
  /** 1 if any project has an active webhook. */
  hasWebhooks: number;
}

/** Selects those of the given mails that are in the log: one lookup each. */
export function selectVisitedMails(db: Database, logIds: string[]) {
  return db.all<VisitedMail>(
    sql`select value as "logId", l.opened_at is null as "isUnopened", l.clicked_at is null as "isUnclicked",
        l.broadcast_id is not null as "isOfBroadcast", l.subscriber_id is not null as "isToSubscriber",
        exists (select 1 from webhooks where active) as "hasWebhooks"
      from json_each(${JSON.stringify(logIds)}) cross join log_entries l on l.id = ${storedIdSql(sql`value`)}`,
  );
}
