/** Building blocks of system templates, as Handlebars source. */
import { look } from "./looks.ts";
import type { TemplateVariable } from "./system-template.ts";

/** Names of one variable, the documented one first; the first with a value wins. */
export type Names = readonly [string, ...string[]];

/**
 * Returns both names of a link: `x_url` and `x_link` are the same variable, as for the automatic
 * unsubscribe link.
 */
export function urlNames(stem: string): [string, string] {
  return [`${stem}_url`, `${stem}_link`];
}

/** Documents both names of a link. */
export function urlVariables(stem: string, description: string): TemplateVariable[] {
  const [url, link] = urlNames(stem);
  return [optional(url, description), optional(link, `the same as ${url}`)];
}

export function optional(name: string, description: string): TemplateVariable {
  return { name, description, required: false };
}

/** Returns `use` applied to the first variable with a value, or else `otherwise`. */
export function either(names: Names, use: (tag: string) => string, otherwise = ""): string {
  const branches = names.map(
    (name, index) => `{{${index === 0 ? "#" : "else "}if ${name}}}${use(`{{${name}}}`)}`,
  );
  return `${branches.join("")}${otherwise === "" ? "" : `{{else}}${otherwise}`}{{/if}}`;
}

/** The same for whole lines of a text part. */
export function eitherLines(names: Names, use: (tag: string) => string): string {
  return either(names, (tag) => `\n${use(tag)}\n`);
}

/** Variable names for the sender's name. */
export const BRAND: Names = ["product_name", "company_name"];

/** Returns ` to Acme`, or nothing if the sender has no name. */
export function brandAfter(preposition: string): string {
  return either(BRAND, (tag) => ` ${preposition} ${tag}`);
}

/** The salutation, on its own line in both parts. */
export const GREETING = "{{#if name}}Hi {{name}},{{else}}Hello,{{/if}}";

/** Returns the mail's only heading. */
export function heading(content: string): string {
  return `<h1 ${look("heading")}>${content}</h1>`;
}

export function paragraph(content: string): string {
  return `<p ${look("text")}>${content}</p>`;
}

/** Returns a small-print paragraph inside the card. */
export function note(content: string): string {
  return `<p ${look("small")}>${content}</p>`;
}

/** Returns a tinted box of `panelRow`s; invisible without rows. */
export function panel(rows: string): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${look("panel")}>${rows}</table>`;
}

export function panelRow(content: string): string {
  return `<tr><td style="padding:14px 24px;">${content}</td></tr>`;
}

/**
 * Returns a button if its link has a value. The link below it serves clients that do not render
 * buttons. Its text equals its URL, so tracking leaves it alone: rewriting would make them differ.
 */
export function button(names: Names, label: string, fallback: "withAddress" | "alone"): string {
  return either(names, (url) => {
    const address =
      fallback === "withAddress"
        ? note(
            `If the button does not work, open this link:<br><a href="${url}" data-no-track ${look("link")}>${url}</a>`,
          )
        : "";
    return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:12px 0 16px;"><tr><td ${look("button")}><a href="${url}" ${look("buttonLink")}>${label}</a></td></tr></table>${address}`;
  });
}
