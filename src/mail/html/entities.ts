/*
 * HTML character references. The package `entities` decodes them as browsers do (WHATWG HTML
 * section 13.2.5.72 to 13.2.5.80).
 */
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from "entities/decode";

/**
 * Decodes the character references of a text. In an attribute value, a name without its semicolon
 * stays undecoded before `=` or an alphanumeric, so that `?a=1&copy=2` remains a query.
 */
export function decodeEntities(text: string, place: "text" | "attribute"): string {
  if (!text.includes("&")) return text;
  return place === "text" ? decodeHTML(text) : decodeHTMLAttribute(text);
}

/** Returns true for an attribute value that contains `&name;` with an undefined name. */
export function hasUnknownName(value: string): boolean {
  const references = value.match(/&[A-Za-z][A-Za-z0-9]*;/g) ?? [];
  return references.some((reference) => decodeHTMLStrict(reference) === reference);
}

/** Escapes text for an attribute value so that it decodes back unchanged; callers handle quotes. */
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
