import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import { refusal } from "../../errors.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { wakeSenders } from "../projects/index.ts";
import { findMatching, type Condition } from "../segments/index.ts";
import { automationIs } from "./automation-queries.ts";
import { getAutomation, stateConflict } from "./manage-automations.ts";
import { mayEnter } from "./may-enter.ts";

/** The maximum number of people whom one call lets in; our own limit. */
export const MOST_ENTERED = 1_000;

/** Whom a call lets in. */
export type Entering = { ids: string[] } | { where: Condition };

/**
 * Lets subscribers into an active automation with the trigger `manual`, up to 1,000 of them; `more`
 * is true if others match the condition. Whoever is inside or may not enter again yet is left out.
 * Throws not_found, 409 if the automation is not active or has another trigger, 400 for a topic in
 * the condition that the project does not have, and rate_limited for a condition.
 */
export async function enterAutomation(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  entering: Entering,
): Promise<{ entered: number; more: boolean }> {
  const { db, now } = ctx.deps;
  const automation = await getAutomation(ctx, project, id);
  if (automation.state !== "active") throw stateConflict(automation.state);
  if (automation.triggerType !== "manual") throw refusal("automation_not_manual", {});
  const at = now();
  const may = mayEnter(automation, at);
  const found =
    "ids" in entering
      ? entering.ids
      : await findMatching(ctx, project.id, entering.where, { also: may, most: MOST_ENTERED + 1 });
  const chosen = sql`select subscribers.id from subscribers
    where id in (select value from json_each(${JSON.stringify(found.slice(0, MOST_ENTERED))}))
      and +project_id = ${project.id} and ${may}`;
  const count = sql`(select count(*) from (${chosen}))`;
  const metadata = sql`json_object('name', ${automation.name}, 'people', ${count})`;
  const fact = {
    scopeId: project.id,
    action: "automation.entered",
    targetId: id,
    metadata,
  } as const;
  const [[counted]] = await runBatch(db, [
    db.all<{ entered: number }>(sql`select ${count} as entered`),
    auditStatement(
      ctx,
      fact,
      sql`${automationIs(project.id, id, { states: ["active"] })} and ${count} > 0`,
    ),
    db.run(
      sql`insert into automation_entries
        select ${project.id}, 'manual', ${id}, id, ${at}, null from (${chosen})`,
    ),
  ]);
  await wakeSenders(ctx.deps, [project.id]);
  return { entered: counted?.entered ?? 0, more: found.length > MOST_ENTERED };
}
