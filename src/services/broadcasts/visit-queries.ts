import { sql, type SQL } from "drizzle-orm";
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

/**
 * Selects the visits of the broadcasts whose ids `ids` selects: a row for each that has any, from at
 * most 102 of the two tables.
 */
export function selectVisits(db: Database, projectId: string, ids: SQL) {
  const own = sql`project_id = ${projectId} and broadcast_id in (${ids})`;
  return db.all<Visits & { broadcastId: string }>(
    sql`select broadcast_id as "broadcastId", sum(opened) as opened, sum(opened_human) as "openedHuman",
        sum(clicked) as clicked, max(sum(clicked_human), 0) as "clickedHuman", sum(unsubscribed) as unsubscribed
      from (
        select broadcast_id, opened, opened_human, clicked, clicked_human, unsubscribed from broadcast_counts where ${own}
        union all
        select broadcast_id, 0, 0, sum(firsts), sum(firsts_human), 0 from broadcast_links where ${own} group by broadcast_id)
      group by broadcast_id`,
  );
}

/** Returns the visits of a broadcast among those of several. */
export function visitsOf(rows: (Visits & { broadcastId: string })[], id: string): Visits {
  const { broadcastId: _, ...visits } = rows.find(({ broadcastId }) => broadcastId === id) ?? {
    broadcastId: id,
    opened: 0,
    openedHuman: 0,
    clicked: 0,
    clickedHuman: 0,
    unsubscribed: 0,
  };
  return visits;
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
