/* What a project's brand changes on its public pages. */
import { html } from "hono/html";
import { LOGO_WIDTH, type Brand } from "../../lib/brand.ts";
import type { ProjectRow } from "../../services/access/index.ts";
import { mailSettingsOf } from "../../services/projects/index.ts";

/** The project that a page is of; without a brand, the page looks like the service's own. */
export interface PageSender {
  name: string;
  brand: Brand;
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
