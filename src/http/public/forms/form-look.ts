/* The language of sign-up forms, and what they change about the brand. */
import { html } from "hono/html";
import type { Brand } from "../../../lib/brand.ts";
import type { Language } from "../../../lib/languages.ts";
import { wordsOf, type FormWords } from "../../../mail/words/index.ts";
import type { OpenForm } from "../../../services/forms/index.ts";
import { audienceSettingsOf, mailSettingsOf } from "../../../services/projects/index.ts";
import { logoOf } from "../page-brand.ts";
import type { Html, PageOptions } from "../page-shell.ts";

function languageOfForm({ form, project }: OpenForm): Language {
  return form.content.language ?? audienceSettingsOf(project).language;
}

export const formWords = (open: OpenForm): FormWords => wordsOf(languageOfForm(open)).form;

/** Returns the brand of a form's project, with the look of the form. */
export function brandOfForm({ form: { content }, project }: OpenForm): Brand {
  const { logoUrl, ...brand } = mailSettingsOf(project).brand;
  return {
    ...brand,
    ...(logoUrl === undefined || !content.showLogo ? {} : { logoUrl }),
    ...(content.accent === null ? {} : { accent: content.accent }),
  };
}

/** Returns the options of the pages of a form. */
export const lookOf = (open: OpenForm): PageOptions => ({
  language: languageOfForm(open),
  sender: { name: open.project.name, brand: brandOfForm(open) },
  isCentered: open.form.content.align === "center",
});

/** Returns logo, title and text for an embedded form; nothing if it shows none of them. */
export function headingOf(open: OpenForm): Html {
  const { title, text, embedHeading } = open.form.content;
  if (!embedHeading) return html``;
  return html`${logoOf(brandOfForm(open))?.image ?? ""}
    <h2>${title}</h2>
    ${text === "" ? "" : html`<p class="lines">${text}</p>`}`;
}
