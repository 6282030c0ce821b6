import { sql, type SQL } from "drizzle-orm";
import type { Statement } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { noteClicks, tagVisitors } from "../../subscribers/index.ts";
import { idText } from "../stored-form.ts";
import { classAt, type ClickRow } from "./visit-rows.ts";

/**
 * Returns the statements that record human clicks on the subscribers: the time of the first click
 * of each mail, and the tags of its links. They must run before the clicks are inserted.
 */
export function noteHumanClicks(deps: Deps, rows: ClickRow[], clicks: SQL): Statement[] {
  const isTagging = rows.some(({ tag }) => tag !== null);
  const who = sql`${idText(sql`l.subscriber_id`)} as id, ${idText(sql`l.project_id`)} as project_id`;
  const human = sql`from fresh click cross join log_entries l on l.id = click.entry_id
    where l.subscriber_id is not null and l.test is null and ${classAt(sql`click.class`, sql`click.at`)} = 'human'`;
  const firsts = sql`with ${clicks} select ${who}, min(click.at) as at ${human} and not exists (
    select 1 from email_clicks k where k.log_id = click.log_id and k.class = 'human') group by click.log_id`;
  const tagged = sql`with ${clicks} select ${who}, click.tag as tag ${human} and click.tag is not null`;
  return [
    noteClicks(deps.db, firsts),
    ...(isTagging ? tagVisitors(deps.db, tagged, deps.now()) : []),
  ];
}
