import { sql, type SQL } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { AUDIENCE_DEFAULTS, type AudienceSettings } from "../../db/schema/index.ts";
import type { Deps } from "../../deps.ts";
import { invalidField } from "../../errors.ts";
import { faultOf } from "../../messages/faults.ts";
import { printsConfirmation } from "../../mail/template/index.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject, mergedInto } from "./change-project.ts";
import { sealTurnstile } from "./turnstile.ts";

type OpenSettings = Omit<AudienceSettings, "turnstileSecretSealed">;

/** A change of the settings; an undefined field keeps its value, and null removes the secret. */
export type AudienceSettingsChange = {
  [Name in keyof OpenSettings]?: OpenSettings[Name] | undefined;
} & { turnstileSecret?: string | null | undefined };

/** Returns the settings of a project, with defaults for unset ones. */
export function audienceSettingsOf(
  project: Pick<ProjectRow, "audienceSettings"> | undefined,
): AudienceSettings {
  const stored = project?.audienceSettings;
  const automations = { ...AUDIENCE_DEFAULTS.automations, ...stored?.automations };
  return { ...AUDIENCE_DEFAULTS, ...stored, automations };
}

/** Returns one setting of a project as an SQL expression. */
export function audienceSettingOf(
  projectId: string | SQL,
  name: Exclude<keyof AudienceSettings, "automations">,
): SQL {
  const { [name]: value } = AUDIENCE_DEFAULTS;
  const fallback = typeof value === "boolean" ? Number(value) : value;
  return sql`(select coalesce(audience_settings ->> ${`$.${name}`}, ${fallback})
    from projects where id = ${projectId})`;
}

/** Returns true if a template of the project contains the confirmation link. */
async function canConfirm({ db }: Deps, projectId: string, templateId: string): Promise<boolean> {
  const [template] = await db.all<{ html: string }>(
    sql`select html_body as html from templates where id = ${templateId} and project_id = ${projectId}`,
  );
  return template !== undefined && printsConfirmation(template.html);
}

/**
 * Changes the given settings and keeps the others, including concurrent changes of them. Returns
 * the project. The route checks `projects:write`. Throws not_found for a deleted project,
 * precondition_failed if the project's version is not one of the expected ones, and 400 for a
 * template without `{{confirm_url}}`; nothing changes then.
 */
export async function saveAudienceSettings(
  ctx: Ctx,
  { id }: ProjectRow,
  { turnstileSecret: secret, ...change }: AudienceSettingsChange,
  expected?: number[],
): Promise<ProjectRow> {
  const { confirmationTemplateId: templateId } = change;
  const isUsable = !templateId || (await canConfirm(ctx.deps, id, templateId));
  const turnstileSecretSealed = secret && (await sealTurnstile(ctx.deps, id, secret));
  const merged = mergedInto("audience_settings", { ...change, turnstileSecretSealed });
  const { isChanged, project } = await changeProject(ctx, id, {
    columns: { audienceSettings: merged },
    action: "audience_settings.update",
    facts: { ...change, turnstile: secret === undefined ? undefined : secret !== null },
    expected,
    when: isUsable ? undefined : sql`false`,
  });
  if (isChanged) return project;
  throw invalidField(
    "confirmation_template_id",
    faultOf("not_confirmation_template", { variable: "{{confirm_url}}" }),
  );
}
