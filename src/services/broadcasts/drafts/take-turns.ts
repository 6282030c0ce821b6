import { sql, type SQL } from "drizzle-orm";
import { audienceSettingOf } from "../../projects/index.ts";
import type { BroadcastRow } from "../queries.ts";

/**
 * Returns a condition for the launch of a draft. With `min_days_between_broadcasts` the broadcasts of a
 * project take turns: the rule sees only accepted mails, so two that are sent at the same time would
 * both reach one person. A broadcast that takes days on purpose, by its pace or by time zones, holds up
 * no other, and neither do the later attempts at deferred mails.
 */
export function mayBegin({ id, projectId }: Pick<BroadcastRow, "id" | "projectId">): SQL {
  return sql`(${audienceSettingOf(projectId, "minDaysBetweenBroadcasts")} = 0 or not exists (
    select 1 from broadcasts other where +other.project_id = ${projectId} and other.state = 'sending'
      and other.kind = 'broadcast' and other.id <> ${id} and other.per_hour is null
      and other.plan ->> '$.warmUpFirstDay' is null and other.plan ->> '$.timeZone' is null
      and (other.planned_id < other.cutoff_id or exists (
        select 1 from broadcast_ranges chunk where chunk.broadcast_id = other.id and chunk.pass = 0))))`;
}
