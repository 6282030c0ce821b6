/** The pieces system templates are built from, as Handlebars source. */
import { look } from "./looks.ts";
import type { TemplateVariable } from "./system-template.ts";

/** Names of one variable, the documented first: the first that is given counts. */
export type Names = readonly [string, ...string[]];

/** `x_url` and `x_link` are the same variable, as they are for the automatic unsubscribe link. */
export function urlNames(stem: string): [string, string] {
  return [`${stem}_url`, `${stem}_link`];
}

/** The two names of a link, documented. */
export function urlVariables(stem: string, description: string): TemplateVariable[] {
  const [url, link] = urlNames(stem);
  return [optional(url, description), optional(link, `the same as ${url}`)];
}

/** A documented variable the mail can do without. */
export function optional(name: string, description: string): TemplateVariable {
  return { name, description, required: false };
}

/** What `use` makes of the first variable that is given, or `otherwise`. */
export function either(names: Names, use: (tag: string) => string, otherwise = ""): string {
  const branches = names.map(
    (name, index) => `{{${index === 0 ? "#" : "else "}if ${name}}}${use(`{{${name}}}`)}`,
  );
  return `${branches.join("")}${otherwise === "" ? "" : `{{else}}${otherwise}`}{{/if}}`;
}

/** The same for lines of a text part, each of which stands alone. */
export function eitherLines(names: Names, use: (tag: string) => string): string {
  return either(names, (tag) => `\n${use(tag)}\n`);
}

/** What the sender calls itself. */
export const BRAND: Names = ["product_name", "company_name"];

/** ` to Acme`, or nothing where the sender has no name. */
export function brandAfter(preposition: string): string {
  return either(BRAND, (tag) => ` ${preposition} ${tag}`);
}

/** The salutation, on its own line in either part. */
export const GREETING = "{{#if name}}Hi {{name}},{{else}}Hello,{{/if}}";

/** The one heading of a mail. */
export function heading(content: string): string {
  return `<h1 ${look("heading")}>${content}</h1>`;
}

/** A paragraph of ordinary text. */
export function paragraph(content: string): string {
  return `<p ${look("text")}>${content}</p>`;
}

/** A paragraph of small print inside the card. */
export function note(content: string): string {
  return `<p ${look("small")}>${content}</p>`;
}

/** A tinted box of `panelRow`s; without any it shows nothing. */
export function panel(rows: string): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${look("panel")}>${rows}</table>`;
}

/** A row of a `panel`. */
export function panelRow(content: string): string {
  return `<tr><td style="padding:14px 24px;">${content}</td></tr>`;
}

/**
 * A button, where its link is given. The link under it is for clients without buttons: its text is
 * its address, so tracking, which would make the two differ, leaves it alone.
 */
export function button(names: Names, label: string, fallback: "withAddress" | "alone"): string {
  return either(names, (url) => {
    const address =
      fallback === "withAddress"
        ? note(
            `If the button does not work, open this address:<br><a href="${url}" data-no-track ${look("link")}>${url}</a>`,
          )
        : "";
    return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:12px 0 16px;"><tr><td ${look("button")}><a href="${url}" ${look("buttonLink")}>${label}</a></td></tr></table>${address}`;
  });
}
