import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch } from "../../db/client.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import { firstProject } from "./first-project.ts";
import { projectIs, requireVersion } from "./project-version.ts";
import { selectProject, updateProject, type NewProject } from "./queries.ts";

interface ProjectChange {
  columns: Partial<NewProject>;
  action: AuditAction;
  /** Details of the audit entry; undefined ones are omitted. */
  facts?: object;
  /** The versions that the caller expects; undefined expects any. */
  expected: number[] | undefined;
  /** A further condition. */
  when?: SQL | undefined;
}

/**
 * Changes a project and writes the audit entry, if the project has an expected version and `when`
 * holds. Returns the project, and whether it changed. Throws not_found and precondition_failed.
 */
export async function changeProject(
  ctx: Ctx,
  id: string,
  { columns, action, facts = {}, expected, when }: ProjectChange,
): Promise<{ isChanged: boolean; project: ProjectRow }> {
  const { db, now } = ctx.deps;
  const isExpected = projectIs(id, expected);
  const holds = when ? sql`${isExpected} and ${when}` : isExpected;
  const metadata = sql`${JSON.stringify(facts)}`;
  const [, [changed], current] = await runBatch(db, [
    auditStatement(ctx, { scopeId: id, action, metadata }, holds),
    updateProject(db, id, { ...columns, updatedAt: now() }, holds),
    selectProject(db, id),
  ]);
  const project = firstProject(current);
  if (!changed) requireVersion(project, expected);
  return { isChanged: changed !== undefined, project };
}

/** Returns SQL that merges settings into a column with JSON; undefined ones keep their values. */
export const mergedInto = (
  column: "audience_settings" | "bounce_settings" | "mail_settings",
  change: object,
): SQL => sql`json_patch(coalesce(${sql.raw(column)}, '{}'), ${JSON.stringify(change)})`;
