import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { runBatch, type Database } from "../../db/client.ts";
import {
  BOUNCE_DEFAULTS,
  projects,
  type BounceSettings,
  type IngestRules,
} from "../../db/schema/index.ts";
import { nextVersion } from "../../db/version.ts";
import { returnPathDomain } from "../../mail/return-path.ts";
import type { ProjectRow } from "../access/index.ts";
import { auditStatement, type AuditAction } from "../audit/index.ts";
import { firstProject } from "./first-project.ts";
import { projectIs, requireVersion } from "./project-version.ts";
import { selectProject } from "./queries.ts";

/** A change of the settings; an undefined field keeps its value. */
type BounceSettingsChange = {
  [Name in keyof BounceSettings]?: BounceSettings[Name] extends object
    ? { [Part in keyof BounceSettings[Name]]?: BounceSettings[Name][Part] | undefined } | undefined
    : BounceSettings[Name] | undefined;
};

/** A change of the ingest rules; an undefined field keeps its value. */
type StoredIngestChange = { [Name in keyof IngestRules]?: IngestRules[Name] | undefined };

/**
 * Returns the settings of a project, with defaults for unset ones. With a return path every real
 * bounce has proof, so unproven ones count only if the project opts in.
 */
export function bounceSettingsOf(
  project: Pick<ProjectRow, "bounceSettings"> | undefined,
): BounceSettings {
  const stored = project?.bounceSettings;
  const bounceProof = stored?.returnPath ? "required" : BOUNCE_DEFAULTS.bounceProof;
  return {
    ...BOUNCE_DEFAULTS,
    bounceProof,
    ...stored,
    autoPause: { ...BOUNCE_DEFAULTS.autoPause, ...stored?.autoPause },
  };
}

/** Returns the `softBounceLimit` of a project as an SQL expression. */
export function softBounceLimitOf(projectId: string): SQL {
  return sql`(select coalesce(bounce_settings ->> '$.softBounceLimit', ${BOUNCE_DEFAULTS.softBounceLimit})
    from projects where id = ${projectId})`;
}

/** Selects the stored settings: at most one row. */
export function selectBounceSettings(db: Database, projectId: string) {
  return db
    .select({ bounceSettings: projects.bounceSettings })
    .from(projects)
    .where(eq(projects.id, projectId));
}

/**
 * Changes the given settings and keeps the others, including concurrent changes of them. Returns
 * the project. The route checks `projects:write`. Throws not_found for a deleted project, and
 * precondition_failed if the project's version is not one of the expected ones.
 */
export async function saveBounceSettings(
  ctx: Ctx,
  { id }: ProjectRow,
  change: BounceSettingsChange,
  expected?: number[],
): Promise<ProjectRow> {
  const told = { action: "bounce_settings.update", facts: change } as const;
  return storeBounceSettings(ctx, id, change, told, expected);
}

/**
 * Stores a change of the settings with its audit entry: the action and its metadata. Returns the
 * project. Throws like `saveBounceSettings`.
 */
export async function storeBounceSettings(
  ctx: Ctx,
  id: string,
  change: BounceSettingsChange | { ingest: StoredIngestChange },
  { action, facts }: { action: AuditAction; facts: object },
  expected?: number[],
): Promise<ProjectRow> {
  const { db, now } = ctx.deps;
  const fact = {
    scopeId: id,
    action,
    metadata: sql`${JSON.stringify(facts)}`,
  } as const;
  const when = projectIs(id, expected);
  const [, [saved], current] = await runBatch(db, [
    auditStatement(ctx, fact, when),
    patchBounceSettings(db, id, change, now(), when),
    selectProject(db, id),
  ]);
  if (saved) return saved;
  const stored = firstProject(current);
  requireVersion(stored, expected);
  return stored;
}

/** Merges the given settings into the stored ones, and returns the project's row. */
function patchBounceSettings(
  db: Database,
  projectId: string,
  change: BounceSettingsChange | { ingest: StoredIngestChange },
  now: number,
  when: SQL,
) {
  const patched = sql`json_patch(coalesce(bounce_settings, '{}'), ${JSON.stringify(change)})`;
  const returnPath = "returnPath" in change ? change.returnPath : undefined;
  const domain = returnPath === undefined ? {} : { bounceDomain: returnPathDomain(returnPath) };
  return db
    .update(projects)
    .set({
      bounceSettings: patched,
      updatedAt: nextVersion(now, projects.updatedAt),
      ...domain,
    })
    .where(and(eq(projects.id, projectId), when))
    .returning();
}
