import { sql } from "drizzle-orm";
import { runBatch } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { notFound } from "../../errors.ts";
import type { Definition, Trigger } from "../../lib/automation-definition.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { parseFixed, stretchOf, type Condition } from "../segments/index.ts";
import type { DueAutomation } from "./due-queries.ts";
import { mayEnter } from "./may-enter.ts";
import type { Budget } from "./page.ts";

/** The most subscribers whom a step of a walk checks, and lets in. */
const STEP = 500;

interface Walk {
  trigger: string;
  lookedAt: number;
  walkedTo: string;
  reentryMs: number | null;
  /** The condition of the segment; null for a date. */
  condition: string | null;
}

/**
 * Takes a step of the walk through the people whom the segment or the date of an automation may let
 * in. The walk of a segment begins once an hour, and that of a date once a day (UTC). Throws
 * not_found for a segment that was deleted.
 */
export async function walkEntries(
  { db, now }: Deps,
  { id, projectId }: DueAutomation,
  budget: Budget,
): Promise<void> {
  budget.statements -= 4;
  const at = now();
  const [walk] = await db.all<Walk>(
    sql`select a.definition -> '$.trigger' as trigger, a.looked_at as "lookedAt", a.walked_to as "walkedTo",
        a.reentry_ms as "reentryMs", s.condition
      from automations a left join segments s on s.project_id = a.project_id
        and s.id = a.definition ->> '$.trigger.segment_id'
      where a.id = ${id} and a.state = 'active'`,
  );
  if (!walk) return; // paused meanwhile
  const { lookedAt, walkedTo, reentryMs } = walk;
  const startedAt = walkedTo === "" ? at : lookedAt;
  const trigger = JSON.parse(walk.trigger) as Definition["trigger"];
  const condition = conditionOf(trigger, walk.condition, startedAt);
  const stretch = { after: walkedTo, limit: STEP };
  const [step] = await db.all<{ looked: number; last: string | null; found: string }>(
    stretchOf(condition, { projectId, now: at }, stretch, mayEnter({ id, reentryMs }, at)),
  );
  const walkedOn = step?.looked === STEP ? (step.last ?? "") : "";
  const isHere = sql`id = ${id} and state = 'active' and looked_at = ${lookedAt} and walked_to = ${walkedTo}`;
  await runBatch(db, [
    db.run(
      sql`insert into automation_entries select ${projectId}, ${trigger.type}, ${id}, value, ${at}, null
        from json_each(${step?.found ?? "[]"}) where exists (select 1 from automations where ${isHere})`,
    ),
    db.run(
      sql`update automations set looked_at = ${startedAt}, walked_to = ${walkedOn} where ${isHere}`,
    ),
  ]);
}

/** Returns the condition that the trigger lets somebody in at a time. */
function conditionOf(trigger: Trigger, ofSegment: string | null, at: number): Condition {
  if (trigger.type === "date") return dateCondition(trigger, at);
  if (ofSegment === null) throw notFound("segment");
  return parseFixed(ofSegment);
}

/** Returns the condition that the day of a field, or its anniversary, was `days` ago. */
function dateCondition(
  { field, days = 0, yearly = false }: Extract<Trigger, { type: "date" }>,
  at: number,
): Condition {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, "2026-01-31".length);
  const date = day(at - days * DAY_MS);
  const next = day(at - (days - 1) * DAY_MS);
  const term = (op: "begins" | "contains", value: string): Condition => ({
    field: `metadata.${field}`,
    op,
    values: [value],
  });
  if (!yearly) return term("begins", date);
  const anniversary = term("contains", date.slice("2026".length));
  // In other years, who was born on a leap day has the anniversary the day before.
  const isBeforeLeapDay = date.endsWith("-02-28") && next.endsWith("-03-01");
  return isBeforeLeapDay ? { or: [anniversary, term("contains", "-02-29")] } : anniversary;
}
