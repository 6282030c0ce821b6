import type { Language } from "../../lib/languages.ts";
import { button, heading, paragraph } from "./blocks.ts";
import { htmlLayout } from "./layout.ts";

/** A mail of a series; its texts are Handlebars within HTML. */
export interface SeriesMail {
  language: Language;
  heading: string;
  paragraphs: readonly string[];
  /** A button to the address in a variable; none while the variable is empty. */
  button?: { variable: string; label: string } | undefined;
  /** Why the recipient gets it, for the footer. */
  reason: string;
}

/** Returns the HTML of a mail in the look of the built-in templates, with an unsubscribe link. */
export function seriesMail(mail: SeriesMail): string {
  const { language, heading: title, paragraphs, reason } = mail;
  const [, preheader = ""] = paragraphs;
  const action = mail.button && button([mail.button.variable], mail.button.label, "alone");
  const html = [heading(title), ...paragraphs.map(paragraph), ...(action ? [action] : [])];
  return htmlLayout({ language, title, preheader, html: html.join("\n"), text: "", reason });
}
