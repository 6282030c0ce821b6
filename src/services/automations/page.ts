import { sql } from "drizzle-orm";
import type { Deps } from "../../deps.ts";
import type { Definition } from "../../lib/automation-definition.ts";
import { firstMatches } from "../segments/index.ts";
import type { DueAutomation, DueRun } from "./due-queries.ts";
import type { Effect, Moved } from "./track.ts";
import type { QuietHours } from "./wait-until.ts";

/** When a project's automations may mail somebody. */
export interface SendRules {
  quietHours: QuietHours | null;
  /** The most mails of automations in seven days; 0 for no limit. */
  maxPerWeek: number;
  /** The days between a mail of a broadcast or automation and the next one; 0 for none. */
  minDays: number;
}

/** D1 statements that an invocation may still use. */
export interface Budget {
  statements: number;
}

/** A page of due runs that rest at one step, and what their moves have come to so far. */
export interface Page {
  deps: Deps;
  automation: DueAutomation;
  rules: SendRules;
  budget: Budget;
  now: number;
  /** The version by which they move from here on, and its definition. */
  version: number;
  definition: Definition;
  /** The steps that have mails. */
  mailed: Set<string>;
  moved: Moved[];
  effects: Map<string, Effect>;
}

/** Returns those of some runs whose subscribers meet a condition now. */
export async function meeting(page: Page, runs: DueRun[], where: string): Promise<DueRun[]> {
  const found = await matching(page, runs, [where]);
  return runs.filter(({ subscriberId }) => found.has(subscriberId));
}

/** Returns the index of the first of these conditions that each subscriber meets now, by id. */
export async function matching(
  { deps, automation: { id, projectId }, budget, now }: Page,
  runs: DueRun[],
  wheres: string[],
): Promise<Map<string, number>> {
  if (runs.length === 0 || wheres.length === 0) return new Map();
  budget.statements -= 1;
  const ids = runs.map(({ subscriberId }) => subscriberId);
  const people = sql`select run.subscriber_id as id, run.data as event
    from json_each(${JSON.stringify(runs.map((run) => run.id))}) one
      cross join automation_runs run on run.automation_id = ${id} and run.id = one.value`;
  return firstMatches(deps.db, { projectId, now }, { ids, people }, wheres);
}
