/* What a project's brand changes on its public pages. */
import { html } from "hono/html";
import { LOGO_WIDTH, textOn, type Brand } from "../../lib/brand.ts";
import { colorOf, inkOn, readableOn } from "../../lib/colors.ts";
import { fontOf } from "../../lib/mail-fonts.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { mailSettingsOf } from "../../services/projects/index.ts";

/** The project that a page is of; without a brand, the page looks like the service's own. */
export interface PageSender {
  name: string;
  brand: Brand;
}

/** Colors of the pages (page-shell.ts): behind text in both schemes, and of the small print. */
const CARD = "#ffffff";
const DARK_CARD = "#161b22";
const SOFT = "#57606a";

type Variables = Record<string, string | undefined>;

const declared = (variables: Variables) =>
  Object.entries(variables)
    .flatMap(([name, value]) => (value === undefined ? [] : `--${name}:${value};`))
    .join("");

/**
 * Returns a style sheet that sets the variables of the pages. The dark scheme keeps its dark paper,
 * on which the accent is lightened until it is readable.
 */
export function brandStyle(brand: Brand): string {
  const accent = colorOf(brand.accent);
  const background = colorOf(brand.background);
  const lightened = accent && readableOn(DARK_CARD, accent);
  const light = declared({
    act: accent,
    "on-act": accent && textOn(accent, colorOf(brand.accentText)),
    link: accent && readableOn(CARD, accent),
    paper: background,
    foot: background && readableOn(background, SOFT),
    "text-font": fontOf(brand.textFont),
    "heading-font": fontOf(brand.headingFont),
  });
  const dark = declared({
    act: lightened,
    "on-act": lightened && inkOn(lightened),
    link: lightened,
    paper: background && "#0d1117",
    foot: background && "var(--soft)",
  });
  if (light === "") return "";
  return `:root{${light}}@media (prefers-color-scheme:dark){:root{${dark}}}`;
}

/** The sources that a policy can name; other hosts could add directives to it. */
const ORIGIN = /^https?:\/\/[\w.-]+(?::\d+)?$/;

/** Returns the logo with the origin that it loads from; undefined if there is none. */
export function logoOf({ logoUrl = "", logoAlt = "", logoWidth = LOGO_WIDTH }: Brand) {
  const origin = URL.parse(logoUrl)?.origin ?? "";
  if (!ORIGIN.test(origin)) return undefined;
  return {
    origin,
    image: html`<img class="logo" src="${logoUrl}" alt="${logoAlt}" width="${logoWidth}" />`,
  };
}

/** Returns the project as the sender of a page; undefined if it is gone. */
export const senderOf = (
  project: Pick<ProjectRow, "name" | "mailSettings"> | undefined,
): PageSender | undefined =>
  project && { name: project.name, brand: mailSettingsOf(project).brand };
