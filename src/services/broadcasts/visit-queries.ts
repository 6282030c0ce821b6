import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";

/**
 * The number of visited mails of a broadcast, and of recipients who unsubscribed through one of
 * them.
 */
export interface Visits {
  opened: number;
  openedHuman: number;
  clicked: number;
  clickedHuman: number;
  unsubscribed: number;
}

/** A link of a broadcast, with the number of mails in which it was clicked. */
export interface LinkVisits {
  url: string;
  clicked: number;
  clickedHuman: number;
}

/** Selects the visits of a broadcast: one row, from at most 102 of the two tables. */
export function selectVisits(db: Database, projectId: string, broadcastId: string) {
  const own = sql`project_id = ${projectId} and broadcast_id = ${broadcastId}`;
  return db.all<Visits>(
    sql`select coalesce(sum(opened), 0) as opened, coalesce(sum(opened_human), 0) as "openedHuman",
        coalesce(sum(clicked), 0) as clicked, max(coalesce(sum(clicked_human), 0), 0) as "clickedHuman",
        coalesce(sum(unsubscribed), 0) as unsubscribed
      from (
        select opened, opened_human, clicked, clicked_human, unsubscribed from broadcast_counts where ${own}
        union all
        select 0, 0, firsts, firsts_human, 0 from broadcast_links where ${own})`,
  );
}

/**
 * Selects the links of a broadcast that have a row, at most 100, ordered by the number of clicked
 * mails.
 */
export function selectLinks(db: Database, projectId: string, broadcastId: string) {
  return db.all<LinkVisits>(
    sql`select url, clicked, max(clicked_human, 0) as "clickedHuman" from broadcast_links
      where project_id = ${projectId} and broadcast_id = ${broadcastId} and url > '' order by 2 desc, 1`,
  );
}
