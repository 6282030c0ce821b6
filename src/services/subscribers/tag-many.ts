import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Statement } from "../../db/client.ts";
import { shownAfter } from "../../db/subscriber-columns.ts";
import type { ProjectRow } from "../access/index.ts";
import { hasWebhooks } from "../webhooks/index.ts";
import {
  chooseSubscribers,
  MOST_CHANGED,
  runChange,
  type Chosen,
  type Progress,
} from "./choose-subscribers.ts";
import { subscriberEvent } from "./subscriber-event.ts";
import { isRetagged, reindexTags, tagsAfter, type TagChange } from "./tag-queries.ts";

/**
 * Adds tags to up to 1,000 chosen subscribers that lack one of them, or removes tags from those
 * that have one. A subscriber who would have more than 50 tags keeps the previous ones. Takes one
 * atomic batch. A repeated call continues where the last one ended. The route checks
 * `subscribers:write`.
 */
export async function tagMany(
  ctx: Ctx,
  project: ProjectRow,
  chosen: Chosen,
  change: TagChange,
): Promise<Progress> {
  const { db, now } = ctx.deps;
  const at = now();
  const when = isRetagged(sql`subscribers.tags`, change);
  const choice = await chooseSubscribers(ctx, project.id, chosen, { when });
  if (!choice) return { changed: 0, more: false };
  const { ids } = choice;
  const before = [
    eventOfMany(ctx, project.id, ids, change, at),
    reindexTags(db, project.id, ids, change),
  ];
  const write = db.run(
    sql`update subscribers set tags = ${tagsAfter(sql`tags`, change)}, updated_at = ${at}
      where id in (${ids})`,
  );
  return runChange(db, choice, [...before, write]);
}

/** Notifies the project's webhooks of the new tags. It must run before the change. */
function eventOfMany(
  { deps }: Ctx,
  projectId: string,
  ids: SQL,
  change: TagChange,
  at: number,
): Statement {
  const eventIds = JSON.stringify(Array.from({ length: MOST_CHANGED }, () => deps.newId()));
  const after = { tags: tagsAfter(sql`s.tags`, change), updatedAt: sql`${at}` };
  const changed = sql`select ${shownAfter(after, "s")}, e.value as event_id
    from (select *, row_number() over (order by id) - 1 as n from subscribers
        where id in (${ids}) and ${hasWebhooks(projectId)}) s
      join json_each(${eventIds}) e on e.key = s.n`;
  return subscriberEvent(deps, projectId, "subscriber.updated", at, changed);
}
