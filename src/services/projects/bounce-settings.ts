import { eq, sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { BOUNCE_DEFAULTS, projects, type BounceSettings } from "../../db/schema/index.ts";
import { returnPathDomain } from "../../mail/return-path.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject, mergedInto } from "./change-project.ts";

/** A change of the settings; an undefined field keeps its value. */
type BounceSettingsChange = {
  [Name in keyof BounceSettings]?: BounceSettings[Name] extends object
    ? { [Part in keyof BounceSettings[Name]]?: BounceSettings[Name][Part] | undefined } | undefined
    : BounceSettings[Name] | undefined;
};

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
  const { returnPath } = change;
  const { project } = await changeProject(ctx, id, {
    columns: {
      bounceSettings: mergedInto("bounce_settings", change),
      ...(returnPath === undefined ? {} : { bounceDomain: returnPathDomain(returnPath) }),
    },
    action: "bounce_settings.update",
    facts: change,
    expected,
  });
  return project;
}
