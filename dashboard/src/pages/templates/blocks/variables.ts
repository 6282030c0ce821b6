/**
 * Expressions allowed in a block's text: a variable, and the tags of a condition or a loop. Triple
 * braces and helpers are excluded, so no value enters the mail unescaped.
 */
const PATH = String.raw`(?:@root\.|\.\./|this\.|\./){0,4}(?:@?[A-Za-z_][\w-]*)(?:\.[A-Za-z_0-9][\w-]*){0,8}`;
const EXPRESSION = new RegExp(
  String.raw`\{\{\s{0,4}(?:${PATH}|#(?:if|unless|each|with)\s{1,4}${PATH}|/(?:if|unless|each|with)|else)\s{0,4}\}\}`,
  "g",
);
const ONE_VARIABLE = new RegExp(String.raw`^\{\{\s{0,4}${PATH}\s{0,4}\}\}$`);

/** A variable in a text, as it is written, with the text shown without a value. */
interface VariableIn {
  source: string;
  name: string;
  fallback?: string;
}

/** A variable alone, or with a text for those who lack it. */
const SIMPLE = new RegExp(
  String.raw`\{\{#if (${PATH})\}\}\{\{\1\}\}(?:\{\{else\}\}([^{}]{0,200}))?\{\{/if\}\}|\{\{(${PATH})\}\}`,
  "g",
);

/** Splits a text at its simple variables; what is not simple stays as it is written. */
export function splitVariables(text: string): (string | VariableIn)[] {
  const parts: (string | VariableIn)[] = [];
  let end = 0;
  for (const match of text.matchAll(SIMPLE)) {
    const [source, tested, fallback, alone = ""] = match;
    if (alone === "else" || alone === "this") continue;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ source, name: tested ?? alone, ...(fallback === undefined ? {} : { fallback }) });
    end = match.index + source.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Returns what a chip for a variable says: its name, and the text without a value. */
const chipOf = ({ name, fallback }: Omit<VariableIn, "source">): string =>
  fallback === undefined || fallback === "" ? name : `${name} / ${fallback}`;

/** Returns a text with its simple variables as words. */
export const readable = (text: string): string =>
  splitVariables(text)
    .map((part) => (typeof part === "string" ? part : `[${chipOf(part)}]`))
    .join("");

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
  "{": "&#123;", // a brace next to an expression would turn it into a triple one
  "}": "&#125;",
  "\\": "&#92;", // a backslash before an expression would escape it
};

const escapePlain = (text: string) =>
  // control characters are not allowed in HTML
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\0-\b\v\f\u000e-\u001f\u007f]/g, "")
    .replaceAll(/[&<>"'`{}\\]/g, (character) => ENTITIES[character] ?? "");

/** Escapes a text for HTML content or a quoted attribute, preserving expressions. */
export function escapeText(text: string): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(EXPRESSION)) {
    html += escapePlain(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return html + escapePlain(text.slice(end));
}

/** Escapes a text for HTML and preserves its line breaks. */
export const escapeLines = (text: string): string =>
  escapeText(text.replaceAll(/\r\n?/g, "\n")).replaceAll("\n", "<br>");

/**
 * Returns a URL that a mail may contain: `https:`, `mailto:`, or a variable alone. Returns
 * undefined for any other, such as `javascript:` and `data:`.
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

/** A file of a service that runs on the reader's own machine, as `npm start` does. */
const LOCAL_FILE =
  /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\/(?:images|dashboard\/assets)\/[\w/.-]+$/;

/** Returns a valid image URL: one that `safeUrl` accepts, except `mailto:`. */
export function safeImageUrl(url: string): string | undefined {
  if (LOCAL_FILE.test(url)) return url;
  const safe = safeUrl(url);
  return safe !== undefined && /^mailto:/i.test(safe) ? undefined : safe;
}
