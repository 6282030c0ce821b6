import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { followsId } from "../../db/paging.ts";
import { automations } from "../../db/schema/index.ts";
import { isOneOf } from "../../db/version.ts";
import type { Definition, Trigger } from "../../lib/automation-definition.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/durations.ts";
import { spanOf, type ListPage } from "../../lib/page.ts";

export type AutomationRow = typeof automations.$inferSelect;
export type AutomationState = AutomationRow["state"];

/** How many people are in an automation now, have entered it, and have ended. */
export interface People {
  inside: number;
  entered: number;
  ended: number;
}

export type Automation = AutomationRow & People;

const counted = (what: SQL): SQL<number> =>
  sql<number>`coalesce((select sum(n) from automation_counts where automation_id = ${automations.id} and ${what}), 0)`;

const ENTERED = counted(sql`step = '' and what = 'in'`);
const ENDED = counted(sql`what not in ('in', 'out')`);

const COLUMNS = {
  ...getTableColumns(automations),
  entered: ENTERED,
  ended: ENDED,
  inside: sql<number>`${ENTERED} - ${ENDED}`,
};

const own = (projectId: string, id: string) =>
  and(eq(automations.id, id), eq(automations.projectId, projectId));

/** Selects the project's automation with this id: at most one row. */
export const selectAutomation = (db: Database, projectId: string, id: string) =>
  db.select(COLUMNS).from(automations).where(own(projectId, id));

interface Listed {
  projectId: string;
  state: AutomationState | undefined;
}

const isListed = ({ projectId, state }: Listed) =>
  and(eq(automations.projectId, projectId), state && eq(automations.state, state));

/** Selects a page of a project's automations, newest first. */
export function selectAutomations(db: Database, listed: Listed, page: ListPage<string>) {
  const { limit, offset } = spanOf(page);
  return db
    .select(COLUMNS)
    .from(automations)
    .where(and(isListed(listed), followsId(page)))
    .orderBy(desc(automations.id))
    .limit(limit)
    .offset(offset);
}

export const countAutomations = (db: Database, listed: Listed) =>
  db.all<{ total: number }>(
    sql`select count(*) as total from ${automations} where ${isListed(listed)}`,
  );

/** The states in which a change expects an automation, and its versions if any are given. */
export interface Expected {
  states: AutomationState[];
  versions?: number[] | undefined;
}

/** Returns a condition for a batch: the project has this automation, as expected. */
export const automationIs = (projectId: string, id: string, { states, versions }: Expected): SQL =>
  sql`exists (select 1 from automations where id = ${id} and project_id = ${projectId}
    and state in (select value from json_each(${JSON.stringify(states)}))
    and ${isOneOf(versions, automations.updatedAt)})`;

/** Returns the columns of a definition; triggers of the database read the copies of its fields. */
export function columnsOf(id: string, definition: Definition) {
  const { trigger, reentry } = definition;
  return {
    definition,
    triggerType: trigger.type,
    triggerKey: keyOf(id, trigger),
    reentryMs: reentryMs(reentry),
  };
}

/** Returns the key under which entries reach an automation: its id if they name one alone. */
function keyOf(id: string, trigger: Trigger): string {
  switch (trigger.type) {
    case "event":
      return trigger.event;
    case "topic":
      return trigger.topic_id;
    case "tag_added":
    case "tag_removed":
      return trigger.tag;
    case "segment":
    case "date":
    case "manual":
      return id;
    case "joined":
    case "confirmed":
      return "";
  }
}

/**
 * Returns how long after a run its person may not enter again; null for ever. `always` takes a
 * minute, so automations that cause each other's entries do not run in circles.
 */
function reentryMs(reentry: Definition["reentry"]): number | null {
  if (reentry === "never") return null;
  return reentry === "always" ? MINUTE_MS : reentry.after_days * DAY_MS;
}
