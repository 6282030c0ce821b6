import { languageChoice } from "./language.ts";
import { inGerman, ofField } from "./messages.ts";

const ACRONYM = /\b(?:html|id|imap|ip|smtp|url)\b/g;

/** Returns the name of a field of a request for people: "Reply to" for `reply_to`. */
export function fieldName(path: string): string {
  const field = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  const words = field
    .replace(/_ids?$/, "")
    .replaceAll("_", " ")
    .replaceAll(ACRONYM, (word) => word.toUpperCase());
  const message = words.charAt(0).toUpperCase() + words.slice(1);
  return languageChoice.read() === "de" ? inGerman({ code: ofField(field), message }) : message;
}
