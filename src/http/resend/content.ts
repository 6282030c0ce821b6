/*
 * Variables of Resend's contents, `{{{NAME}}}` and `{{{NAME|fallback}}}`, as Handlebars. Everything
 * else in a content is Handlebars already.
 */

/** Their names of our variables. */
const OURS: ReadonlyMap<string, string> = new Map([
  ["RESEND_UNSUBSCRIBE_URL", "unsubscribe_url"],
  ["UNSUBSCRIBE_URL", "unsubscribe_url"],
  ["EMAIL", "email"],
  ["contact.email", "email"],
  ["FIRST_NAME", "metadata.first_name"],
  ["contact.first_name", "metadata.first_name"],
  ["LAST_NAME", "metadata.last_name"],
  ["contact.last_name", "metadata.last_name"],
]);

const VARIABLE = /\{\{\{\s*([\w.]+)\s*(?:\|([^{}]*))?\}\}\}/g;

const ourName = (name: string) => OURS.get(name) ?? name.replace(/^contact\./, "metadata.");

/**
 * Returns a content with the variables as Handlebars. `fallbacks` are those of a template, by name;
 * one in the content wins. Anything but a text stays as it is, for our API to refuse.
 */
export function inHandlebars(
  content: unknown,
  fallbacks: ReadonlyMap<string, string> = new Map(),
): unknown {
  if (typeof content !== "string") return content;
  return content.replaceAll(VARIABLE, (_, name: string, own?: string) => {
    const variable = ourName(name);
    const fallback = own ?? fallbacks.get(name);
    if (fallback === undefined) return `{{{${variable}}}}`;
    return `{{#if ${variable} includeZero=true}}{{{${variable}}}}{{else}}${fallback}{{/if}}`;
  });
}
