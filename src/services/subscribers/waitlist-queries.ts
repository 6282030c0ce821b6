import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { audienceSettingOf } from "../projects/index.ts";
/**
 * Selects a row if the project exists. It says whether unauthenticated callers may trigger mail
 * with the template, and whether the project requires confirmation; a null template counts as
 * usable.
 */
export function selectWaitlist(db: Database, projectId: string, templateId: string | null) {
  return db.all<{ hasTemplate: number; asksToConfirm: number; turnstileSecret: string }>(
    sql`select ${templateIsUsable(projectId, templateId)} as "hasTemplate",
        ${audienceSettingOf(projectId, "doubleOptIn")} as "asksToConfirm",
        ${audienceSettingOf(projectId, "turnstileSecretSealed")} as "turnstileSecret"
      from projects where id = ${projectId}`,
  );
}

/**
 * Returns a condition for a batch: unauthenticated callers may trigger mail with the project's
 * template, or the template is null. Such a template is public, or the project has no public one.
 */
export function templateIsUsable(projectId: string, templateId: string | null): SQL {
  return sql`(${templateId} is null or exists (
    select 1 from templates where id = ${templateId} and project_id = ${projectId} and (is_public
      or not exists (select 1 from templates where project_id = ${projectId} and is_public))))`;
}
