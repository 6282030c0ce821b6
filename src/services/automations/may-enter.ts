import { sql, type SQL } from "drizzle-orm";
import type { Automation } from "./automation-queries.ts";

/**
 * Returns the condition on a row of `subscribers` that the entry rule lets the subscriber in. The
 * trigger `entries_start_runs` of the database enforces the rule.
 */
export const mayEnter = (
  { id, reentryMs }: Pick<Automation, "id" | "reentryMs">,
  at: number,
): SQL =>
  sql`subscribers.status <> 'unsubscribed' and not exists (
    select 1 from automation_runs run indexed by automation_runs_by_person where run.subscriber_id = subscribers.id and run.automation_id = ${id}
      and (run.ended_at is null or ${reentryMs} is null or run.ended_at > ${at} - ${reentryMs ?? 0}))`;
