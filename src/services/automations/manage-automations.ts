import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, runBatchAfter } from "../../db/client.ts";
import { countFor } from "../../db/paging.ts";
import { automations } from "../../db/schema/index.ts";
import { nextVersion } from "../../db/version.ts";
import { changedMeanwhile, notFound, refusal } from "../../errors.ts";
import type { Definition } from "../../lib/automation-definition.ts";
import { totalOf, type ListPage } from "../../lib/page.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement } from "../audit/index.ts";
import { projectExists } from "../projects/index.ts";
import {
  automationIs,
  columnsOf,
  countAutomations,
  selectAutomation,
  selectAutomations,
  type Automation,
  type AutomationState,
  type Expected,
} from "./automation-queries.ts";
import { freezeVersion } from "./freeze-version.ts";
import { problemsOf } from "./find-problems.ts";
import { readFacts, type DefinitionFacts } from "./read-facts.ts";

/** The maximum number of automations per project; our own limit. */
const MOST_AUTOMATIONS = 100;

/** The parts of an automation that its author writes. */
export interface AutomationInput {
  name: string;
  definition: Definition;
}

/** Saves an automation as a draft. Throws 409 if the project has 100. */
export async function createAutomation(
  ctx: Ctx,
  project: ProjectRow,
  { name, definition }: AutomationInput,
): Promise<Automation> {
  const { db, newId, now } = ctx.deps;
  const [id, at] = [newId(), now()];
  const { triggerType, triggerKey, reentryMs } = columnsOf(id, definition);
  const hasRoom = sql`(select count(*) from automations where project_id = ${project.id}) < ${MOST_AUTOMATIONS}`;
  const fact = { scopeId: project.id, action: "automation.created", targetId: id } as const;
  const [, , [automation]] = await runBatch(db, [
    db.run(
      sql`insert into automations (id, project_id, name, state, version, definition, trigger_type, trigger_key,
          reentry_ms, created_at, updated_at)
        select ${id}, ${project.id}, ${name}, 'draft', 1, ${JSON.stringify(definition)}, ${triggerType}, ${triggerKey},
          ${reentryMs}, ${at}, ${at}
        where ${projectExists(project.id)} and ${hasRoom}`,
    ),
    auditStatement(ctx, { ...fact, metadata: { name } }, automationIs(project.id, id, ANY)),
    selectAutomation(db, project.id, id),
  ]);
  if (!automation) throw refusal("too_many_automations", { max: MOST_AUTOMATIONS });
  return automation;
}

const ANY: Expected = { states: ["draft", "active", "paused", "stopped"] };

/** Reads an automation. Throws not_found. */
export async function getAutomation(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  id: string,
): Promise<Automation> {
  const [automation] = await selectAutomation(db, project.id, id);
  if (!automation) throw notFound("automation");
  return automation;
}

/** Returns a page of the project's automations, newest first, and their number if it is asked for. */
export async function listAutomations(
  { deps: { db } }: Ctx,
  project: ProjectRow,
  page: ListPage<string> & { state: AutomationState | undefined },
) {
  const listed = { projectId: project.id, state: page.state };
  const [rows, totals] = await runBatch(db, [
    selectAutomations(db, listed, page),
    countFor(db, page, countAutomations(db, listed)),
  ]);
  return { automations: rows, total: totalOf(page, totals) };
}

/** A change of an automation, and whether people inside stay on their version. */
export interface AutomationChange {
  name: string | undefined;
  /** Returns the changed definition. */
  change: (before: Definition) => Definition;
  inside: "stay" | "move";
}

/**
 * Changes an automation. Another definition of one that runs is a new version, which needs to be
 * free of problems. Throws not_found, precondition_failed if it has changed or its version is not
 * one of the expected ones, 409 if it is stopped, and 422 for problems.
 */
export async function changeAutomation(
  ctx: Ctx,
  project: ProjectRow,
  id: string,
  { name: newName, change, inside }: AutomationChange,
  versions: number[] | undefined,
): Promise<Automation> {
  const { db, now } = ctx.deps;
  const before = await getAutomation(ctx, project, id);
  const { state, name, definition: known } = before;
  if (state === "stopped") throw stateConflict(state);
  if (versions?.includes(before.updatedAt) === false) throw changedMeanwhile("automation");
  const definition = change(known);
  const isOther = JSON.stringify(definition) !== JSON.stringify(known);
  const version = before.version + (isOther && state !== "draft" ? 1 : 0);
  const after = { ...before, name: newName ?? name, version, definition };
  const was = automationIs(project.id, id, { states: [state], versions: [before.updatedAt] });
  const frozen =
    state === "draft" || version === before.version
      ? []
      : freezeVersion(
          ctx.deps,
          { ...after, state },
          await requireNoProblems(ctx, project, definition),
          was,
        );
  const metadata = { name: after.name, version };
  const fact = {
    scopeId: project.id,
    action: "automation.changed",
    targetId: id,
    metadata,
  } as const;
  const movesOn = sql`update automation_versions set moves_on = 1
    where automation_id = ${id} and version < ${version} and ${was}`;
  const [changed, [row]] = await runBatchAfter(
    db,
    [
      auditStatement(ctx, fact, was),
      ...frozen,
      ...(frozen.length > 0 && inside === "move" ? [db.run(movesOn)] : []),
    ],
    [
      db
        .update(automations)
        .set({
          name: after.name,
          version,
          ...columnsOf(id, definition),
          updatedAt: nextVersion(now(), automations.updatedAt),
        })
        .where(and(eq(automations.id, id), was))
        .returning({ id: automations.id }),
      selectAutomation(db, project.id, id),
    ],
  );
  if (!row) throw notFound("automation");
  if (changed.length === 0) throw changedMeanwhile("automation");
  return row;
}

/** Returns what a definition names. Throws 422 if it has problems that keep it from running. */
export async function requireNoProblems(
  { deps }: Ctx,
  project: ProjectRow,
  definition: Definition,
): Promise<DefinitionFacts> {
  const facts = await readFacts(deps, project, definition);
  const stops = problemsOf(definition, facts).filter(({ grade }) => grade === "stop");
  if (stops.length === 0) return facts;
  const codes = [...new Set(stops.map(({ code }) => code))].join(", ");
  const details = stops.map(({ grade: _grade, ...told }) => told);
  throw refusal("automation_has_problems", { codes }, { details });
}

export const stateConflict = (state: AutomationState) => refusal(`automation_is_${state}`, {});
