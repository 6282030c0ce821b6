import { AppError } from "../../errors.ts";
import { compileTemplate } from "../template/index.ts";
import { maskTags } from "./template-tags.ts";
import { htmlToText } from "./to-text.ts";

/** Data in a style may hide an element, and with it its text. */
const STYLE_WITH_TAG =
  /[\t\n\f\r ]style[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*[\ufdd0-\ufdd3]|'[^']*[\ufdd0-\ufdd3])/i;

/**
 * The text part of an HTML template as a template of its own, so that it is made once for many
 * mails; "" where each rendered mail has a text of its own making.
 */
export function templateToText(html: string): string {
  const source = maskTags(html);
  if (source.kind === "unknown" || STYLE_WITH_TAG.test(source.template.text)) return "";
  const text = htmlToText(html);
  const made = maskTags(text);
  const isFaithful =
    made.kind === "masked" && isPartInOrder(made.template.tags, source.template.tags);
  return isFaithful && compiles(text) ? text : "";
}

/** Text may leave tags out (those in attributes, in what is hidden), but it adds and changes none. */
function isPartInOrder(part: string[], whole: string[]): boolean {
  let next = 0;
  for (const tag of whole) if (tag === part[next]) next++;
  return next === part.length;
}

function compiles(text: string): boolean {
  try {
    compileTemplate(text, { escape: false });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
