import { sql, type SQL } from "drizzle-orm";
import { idText } from "../stored-form.ts";

/** The kinds of visits of a mail, as counted in delivery reports (API reference §11.9). */
export const VISITS = ["opened", "opened_human", "clicked", "clicked_human"] as const;

/** A filter of mails by their visits. Both conditions must hold. */
export interface VisitFilter {
  visit: (typeof VISITS)[number] | undefined;
  /** The URL of a clicked link; with `clicked_human`, of a link clicked by a person. */
  link: string | undefined;
}

/** The number of clicks per mail that a filter reads: those counted in the delivery report. */
const CLICKS_MAX = 100;

/** Returns the condition that the mail `l` passes a filter; undefined for an empty filter. */
export function madeVisit({ visit, link }: VisitFilter): SQL | undefined {
  const isByPeople = visit === "clicked_human";
  const ofClick = [
    ...(link === undefined ? [] : [sql`click.url = ${link}`]),
    ...(isByPeople ? [sql`click.class = 'human'`] : []),
  ];
  const all = [
    ...(visit === "opened" ? [sql`l.opened_at is not null`] : []),
    ...(visit === "opened_human" ? [sql`l.opened_class is 'human'`] : []),
    ...(visit === "clicked" ? [sql`l.clicked_at is not null`] : []),
    ...(ofClick.length > 0 ? [hasClick(sql.join(ofClick, sql` and `))] : []),
  ];
  return all.length === 0 ? undefined : sql.join(all, sql` and `);
}

/**
 * Returns the condition that the mail `l` has a matching click. Reads no rows for a mail without
 * clicks.
 */
const hasClick = (ofClick: SQL): SQL =>
  sql`iif(l.clicked_at is null, 0, exists (select 1 from (
    select url, class from email_clicks where log_id = ${idText(sql`l.id`)} order by id limit ${sql.raw(String(CLICKS_MAX))}) click
    where ${ofClick}))`;
