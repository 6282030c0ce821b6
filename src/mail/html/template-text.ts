import { AppError } from "../../errors.ts";
import { compileTemplate } from "../template/index.ts";
import { maskTags } from "./template-tags.ts";
import { htmlToText } from "./to-text.ts";

/** A style with a tag in it: its data may hide an element together with its text. */
const STYLE_WITH_TAG =
  /[\t\n\f\r ]style[\t\n\f\r ]*=[\t\n\f\r ]*(?:"[^"]*[\ufdd0-\ufdd3]|'[^']*[\ufdd0-\ufdd3])/i;

/**
 * Turns an HTML template into a template of its text part, made once for many mails. Returns ""
 * when each rendered mail needs a text of its own.
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

/**
 * Returns true when the text drops tags at most (in attributes or hidden content), without adding
 * or changing any.
 */
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
