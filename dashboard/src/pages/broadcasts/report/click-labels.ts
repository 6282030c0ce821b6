import type { DeliveryReport } from "../states.ts";

/** Style of a label, which the style sheets of the mail cannot change. */
const LOOK = Object.entries({
  display: "inline-block",
  margin: "0 4px",
  padding: "0 6px",
  "border-radius": "9px",
  background: "#fde68a",
  color: "#1c1917",
  font: "600 11px/18px system-ui, sans-serif",
  "letter-spacing": "normal",
  "text-decoration": "none",
  "text-transform": "none",
  "vertical-align": "middle",
  "white-space": "nowrap",
})
  .map(([name, value]) => `${name}:${value}!important`)
  .join(";");

/** A link of a mail: its opening tag with the address in one of three forms, its content, its end. */
const LINK = /<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))[^>]*>[\s\S]*?<\/a\s*>/gi;

/** Returns the text of an attribute, as a browser reads it. */
function decoded(attribute: string): string {
  const field = document.createElement("textarea");
  field.innerHTML = attribute;
  return field.value.trim();
}

/**
 * Returns rendered HTML with a label behind each link that the report has. It is not parsed into a
 * document, because that would apply the styles of the mail under the policy of this page.
 */
export function labelLinks(
  html: string,
  links: DeliveryReport["links"],
  labelOf: (link: DeliveryReport["links"][number]) => string,
): string {
  const labels = new Map(links.map((link) => [link.url, labelOf(link)]));
  const labeled = html.replaceAll(LINK, (link: string, ...quoted: (string | undefined)[]) => {
    const href = quoted[0] ?? quoted[1] ?? quoted[2] ?? "";
    const label = labels.get(decoded(href));
    return label === undefined ? link : `${link}<span style="${LOOK}">${label}</span>`;
  });
  return labeled.replaceAll("{{", "&#123;&#123;"); // the frame renders it as a template
}
