import { sql, type SQL } from "drizzle-orm";
import { type AppError, refusal } from "../../errors.ts";
import { conditionFault } from "../../messages/conditions.ts";
import { COMPARED, timeSql } from "./compare-sql.ts";
import { EVENT, EVENT_DATA, termsOf, type Condition, type Term } from "./condition.ts";
import { spanMs } from "./times.ts";

/**
 * Returns the SQL of a term on the number of events of a name. It reads only entries of the index
 * `events_by_person`: one, or one more than the number in a comparison.
 */
export function eventSql(
  { field, op, values }: Term,
  { projectId, now }: { projectId: string; now: number },
): SQL {
  const name = field.slice(EVENT.length);
  const [first = "", second] = values;
  const span = op === "within" ? first : second;
  const since = span === undefined ? 0 : now - (spanMs(span) ?? 0);
  const isRecent = span === undefined ? sql`` : sql` and event.occurred_at >= ${timeSql(since)}`;
  const own = sql`select 1 from events event where event.project_id = ${projectId}
    and event.subscriber_id = subscribers.id and event.name = ${name}${isRecent}`;
  if (op === "<" || op === "<=" || op === ">" || op === ">=") {
    const count = Number(first);
    return sql`((select count(*) from (${own} limit ${sql.raw(String(count + 1))})) ${COMPARED[op]} ${sql.raw(String(count))})`;
  }
  return sql`exists (${own})`;
}

/** Throws 400 if a condition names data of an event, which only a run of an automation has. */
export function refuseEventData(condition: Condition): Condition {
  const term = termsOf(condition).find(({ field }) => field.startsWith(EVENT_DATA));
  if (term) throw outsideAutomation(term.field);
  return condition;
}

export const outsideAutomation = (field: string): AppError =>
  refusal("invalid_condition", { reason: conditionFault("event_outside_automation", { field }) });
