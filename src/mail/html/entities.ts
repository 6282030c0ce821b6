/*
 * Character references of HTML. The package `entities` decodes them as a browser does (WHATWG HTML
 * section 13.2.5.72 to 13.2.5.80).
 */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from "entities/decode";

/**
 * Decodes the character references of a text. In an attribute value, a name without its semicolon
 * stays as it is before `=` or a letter or digit, so that `?a=1&copy=2` remains a query.
 */
export function decodeEntities(text: string, place: "text" | "attribute"): string {
  if (!text.includes("&")) return text;
  return place === "text" ? decodeHTML(text) : decodeHTMLAttribute(text);
}

/** Returns true for an attribute value that has `&name;` with a name that HTML does not define. */
export function hasUnknownName(value: string): boolean {
  const references = value.match(/&[A-Za-z][A-Za-z0-9]*;/g) ?? [];
  return references.some((reference) => decodeHTMLStrict(reference) === reference);
}

/**
 * Escapes text for an attribute value, so that a browser decodes it back; callers handle quotes.
 */
export function escapeAmpersands(text: string): string {
  return text.replaceAll("&", "&amp;");
}

/** Escapes text for display in HTML content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return escapeAmpersands(text)
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
