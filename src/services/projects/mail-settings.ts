import type { Ctx } from "../../context.ts";
import { MAIL_DEFAULTS, type MailSettings } from "../../db/schema/index.ts";
import type { Brand } from "../../lib/brand.ts";
import { refusal } from "../../errors.ts";
import { domainOf, type EmailAddress } from "../../mail/address.ts";
import type { ProjectRow } from "../access/index.ts";
import { changeProject, mergedInto } from "./change-project.ts";

/** A change of the settings; an undefined field keeps its value. */
export type MailSettingsChange = {
  [Name in keyof Omit<MailSettings, "brand">]?: MailSettings[Name] | undefined;
} & { brand?: BrandChange | undefined };

/** A change of the brand: an undefined part keeps its value, and null removes it. */
export type BrandChange = { [Name in keyof Brand]?: Brand[Name] | null | undefined };

/** Returns the settings of a project, with defaults for unset ones. */
export function mailSettingsOf(project: Pick<ProjectRow, "mailSettings">): MailSettings {
  return { ...MAIL_DEFAULTS, ...project.mailSettings };
}

/**
 * Changes the given settings and keeps the others, including concurrent changes of them. Returns
 * the project. The route checks `projects:write`. Throws not_found for a deleted project, and
 * precondition_failed if the project's version is not one of the expected ones.
 */
export async function saveMailSettings(
  ctx: Ctx,
  { id }: ProjectRow,
  change: MailSettingsChange,
  expected?: number[],
): Promise<ProjectRow> {
  const { project } = await changeProject(ctx, id, {
    columns: { mailSettings: mergedInto("mail_settings", change) },
    action: "mail_settings.update",
    facts: change,
    expected,
  });
  return project;
}

/**
 * Requires that a mail of the project may have this address as its From: `own`, the From address of
 * the project, or one of its senders. Throws sender_not_allowed.
 */
export function requireSender(
  project: ProjectRow,
  own: EmailAddress,
  address: EmailAddress | undefined,
): void {
  if (address === undefined) return;
  const allowed = [own, ...mailSettingsOf(project).senders];
  if (allowed.includes(address) || allowed.includes(`@${domainOf(address)}`)) return;
  throw refusal("sender_not_allowed", { address, allowed: allowed.join(", ") });
}
