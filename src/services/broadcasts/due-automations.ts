import { sql, type SQL } from "drizzle-orm";
import { DAY_MS, HOUR_MS } from "../../lib/durations.ts";

/** When the sender has to move the next run of automation `a`; null for never. */
export const runsDueAt: SQL = sql`(select min(run.due_at) from automation_runs run
  where run.automation_id = a.id and run.due_at is not null)`;

/**
 * When the sender has to look for people whom a segment or date lets into automation `a`: once an
 * hour or a day (UTC), and at once for a walk that has not ended. Null for other triggers.
 */
export const walkDueAt: SQL = sql`(case
  when a.trigger_type not in ('segment', 'date') then null
  when a.walked_to <> '' then 0
  when a.trigger_type = 'segment' then a.looked_at + ${sql.raw(String(HOUR_MS))}
  else (a.looked_at / ${sql.raw(String(DAY_MS))} + 1) * ${sql.raw(String(DAY_MS))} end)`;

/** The active automations of a project, as `a`. */
export const activeOf = (projectId: string): SQL =>
  sql`automations a where a.state = 'active' and a.project_id = ${projectId}`;
