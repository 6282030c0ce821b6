import { sql } from "drizzle-orm";
import type { Statement } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { noteClicks, tagVisitors } from "../../subscribers/index.ts";
import { idText } from "../stored-form.ts";
import { clicksOf, type ClickGroup } from "./visit-groups.ts";

/** The number of earlier clicks per mail that are checked for one by a person. */
const CLICKS_MAX = 100;

/**
 * Returns the statements that record human clicks on the subscribers: the time of the first click
 * of each mail, and the tags of its links. They must run after the clicks are inserted and bursts
 * are marked, so that clicks of scanners are excluded.
 */
export function noteHumanClicks(deps: Deps, groups: ClickGroup[], clicks: string): Statement[] {
  const isTagging = groups.some((group) => group.clicks.some(({ tag }) => tag !== null));
  const human = sql`from clicks click cross join log_entries l on l.id = click.entry_id
      cross join email_clicks k on k.log_id = click.log_id and k.id = click.id
    where l.subscriber_id is not null and k.class = 'human'`;
  const who = sql`${idText(sql`l.subscriber_id`)} as id, ${idText(sql`l.project_id`)} as project_id`;
  const firsts = sql`with ${clicksOf(clicks)} select ${who}, click.at as at ${human} and not exists (
    select 1 from (select class from email_clicks before where before.log_id = click.log_id and before.id < click.id
      order by before.id limit ${CLICKS_MAX}) earlier where earlier.class = 'human')`;
  if (!isTagging) return [noteClicks(deps.db, firsts)];
  const tagged = sql`with ${clicksOf(clicks)} select ${who}, click.tag as tag ${human} and click.tag is not null`;
  return [noteClicks(deps.db, firsts), ...tagVisitors(deps.db, tagged, deps.now())];
}
