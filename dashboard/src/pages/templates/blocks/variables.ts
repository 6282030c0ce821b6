/**
 * The expressions that a text of a block may hold: a variable, and the tags of a condition or a
 * loop. Triple braces and helpers are not among them, so no value gets into the mail unescaped.
 */
const PATH = String.raw`(?:@root\.|\.\./|this\.|\./){0,4}(?:@?[A-Za-z_][\w-]*)(?:\.[A-Za-z_0-9][\w-]*){0,8}`;
const EXPRESSION = new RegExp(
  String.raw`\{\{\s{0,4}(?:${PATH}|#(?:if|unless|each|with)\s{1,4}${PATH}|/(?:if|unless|each|with)|else)\s{0,4}\}\}`,
  "g",
);
const ONE_VARIABLE = new RegExp(String.raw`^\{\{\s{0,4}${PATH}\s{0,4}\}\}$`);

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
  "{": "&#123;", // a brace beside an expression would make it one of three
  "}": "&#125;",
  "\\": "&#92;", // a backslash before an expression makes it a text
};

const escapePlain = (text: string) =>
  // a control character has no place in HTML
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\0-\b\v\f\u000e-\u001f\u007f]/g, "")
    .replaceAll(/[&<>"'`{}\\]/g, (character) => ENTITIES[character] ?? "");

/** Makes HTML of a text, for a place between tags or in a quoted attribute. Expressions stay. */
export function escapeText(text: string): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(EXPRESSION)) {
    html += escapePlain(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return html + escapePlain(text.slice(end));
}

/** Makes HTML of a text whose line ends stay. */
export const escapeLines = (text: string): string =>
  escapeText(text.replaceAll(/\r\n?/g, "\n")).replaceAll("\n", "<br>");

/**
 * Returns an address that a mail may hold: `https:`, `mailto:`, or a variable alone. Returns
 * undefined for any other; scripts and data are never among them.
 */
export function safeUrl(url: string): string | undefined {
  const trimmed = url.trim();
  if (ONE_VARIABLE.test(trimmed)) return trimmed;
  const withoutExpressions = trimmed.replaceAll(EXPRESSION, "x");
  // oxlint-disable-next-line no-control-regex
  return /^(?:https:\/\/[^\s/?#\\\0-\u001f][^\s\\\0-\u001f]*|mailto:[^\s\\\0-\u001f]+)$/i.test(
    withoutExpressions,
  )
    ? trimmed
    : undefined;
}

/** Returns an address that an image may have: one of `safeUrl` that is no `mailto:`. */
export function safeImageUrl(url: string): string | undefined {
  const safe = safeUrl(url);
  return safe !== undefined && /^mailto:/i.test(safe) ? undefined : safe;
}
