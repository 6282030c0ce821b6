import type { Ctx } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { LOGO_WIDTH } from "../../lib/brand.ts";
import { contrastOf, READABLE } from "../../lib/colors.ts";
import { faultOf } from "../../messages/faults.ts";
import type { ProjectRow } from "../access/index.ts";
import { mailSettingsOf, saveMailSettings, type BrandChange } from "./mail-settings.ts";

/**
 * Changes the given parts of the brand and keeps the others. Returns the project. The route checks
 * `projects:write`. Throws 400 for a logo that loads without TLS from another service, and for
 * text that is hard to read on the accent; otherwise as `saveMailSettings` does.
 */
export async function saveBrand(
  ctx: Ctx,
  project: ProjectRow,
  given: BrandChange,
  expected?: number[],
): Promise<ProjectRow> {
  const { social, logoWidth } = given;
  const change = {
    ...given,
    logoWidth: logoWidth === LOGO_WIDTH ? null : logoWidth,
    social: social?.length === 0 ? null : social,
  };
  requireLogo(ctx, change.logoUrl);
  // A simultaneous change of the other color may pass this check, so `textOn` checks it again.
  requireContrast({ ...mailSettingsOf(project).brand, ...withoutUndefined(change) });
  return saveMailSettings(ctx, project, { brand: change }, expected);
}

function requireLogo({ deps }: Ctx, url: string | null | undefined): void {
  if (!url || url.startsWith("https:") || new URL(url).origin === deps.config.baseUrl) return;
  throw invalidField("logo_url", faultOf("not_https"));
}

function requireContrast({ accent, accentText }: BrandChange): void {
  if (!accent || !accentText || contrastOf(accentText, accent) >= READABLE) return;
  const contrast = (Math.floor(contrastOf(accentText, accent) * 10) / 10).toFixed(1);
  throw invalidField("accent_text", faultOf("low_contrast", { contrast, min: READABLE }));
}

const withoutUndefined = (change: BrandChange): BrandChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
