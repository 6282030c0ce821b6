/** Safe markup: our own literals, and values escaped by escapeHtml. */
export interface Html {
  readonly markup: string;
}

type HtmlValue = string | number | Html | readonly Html[];

/** Builds markup. Escapes every interpolated string; only Html is inserted unchanged. */
export function html(literals: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const parts = values.map((value, index) => `${toMarkup(value)}${literals[index + 1]}`);
  return { markup: `${literals[0]}${parts.join("")}` };
}

/** Escapes text for element content and for quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function toMarkup(value: HtmlValue): string {
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  if ("markup" in value) return value.markup;
  return value.map((part) => part.markup).join("");
}
