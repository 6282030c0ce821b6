/* What mail programs show of the HTML of mails. */
import { expect } from "vitest";

/** Reads HTML as a browser does: its elements with their attributes, and its text. */
export async function readHtml(html: string) {
  const elements: { tag: string; attributes: Record<string, string> }[] = [];
  let text = "";
  const reader = new HTMLRewriter()
    .on("*", {
      element: ({ tagName, attributes }) =>
        void elements.push({ tag: tagName, attributes: Object.fromEntries(attributes) }),
    })
    .on("body *", { text: (chunk) => void (text += chunk.text) });
  await reader.transform(new Response(html)).text();
  return { elements, text };
}

/*
 * The styles that Outlook for Windows shows, by element, as Microsoft lists them for its engine, that
 * of Word (https://www.hteumeuleu.com/2020/outlook-rendering-engine/). The new Outlook and Apple Mail
 * use the engines of browsers.
 */
const CORE = ["color", "background", "font", "text-decoration", "text-align", "vertical-align"];
const SIZES = ["font-size", "line-height", "border"];
const WITH_MARGIN = [...CORE, ...SIZES, "margin"];
const OUTLOOK_ELSE = [...WITH_MARGIN, "border-left", "border-top", "padding", "width", "height"];
const OUTLOOK: Record<string, string[]> = {
  span: [...CORE, ...SIZES],
  p: WITH_MARGIN,
  div: WITH_MARGIN,
};
/** What Outlook leaves out without harm: round corners, and what attributes or `mso-` say too. */
const LEFT_OUT = ["border-radius", "display", "max-width", "max-height", "overflow", "opacity"];
const isLeftOut = (tag: string, name: string) =>
  LEFT_OUT.includes(name) || (name === "padding" && ["body", "span"].includes(tag));
/** What the mails use of the styles that Gmail shows (https://developers.google.com/gmail/design/css). */
const GMAIL =
  "background border border-left border-radius border-top color display font font-size height line-height margin max-height max-width opacity overflow padding text-align text-decoration vertical-align width".split(
    " ",
  );

/** Returns the styles of an element, by their names. */
const stylesOf = (style = ""): Record<string, string> =>
  Object.fromEntries(
    style
      .split(";")
      .filter(Boolean)
      .map((one) => [one.slice(0, one.indexOf(":")), one.slice(one.indexOf(":") + 1)]),
  );

/** Checks that HTML asks of each reader only what it shows. */
export async function expectShown(html: string): Promise<void> {
  for (const { tag, attributes } of (await readHtml(html)).elements) {
    const style = stylesOf(attributes["style"]);
    for (const [name, value] of Object.entries(style)) {
      if (name.startsWith("mso-")) continue;
      const isShown = OUTLOOK[tag]?.includes(name) ?? OUTLOOK_ELSE.includes(name);
      expect([tag, name, isShown || isLeftOut(tag, name)]).toEqual([tag, name, true]);
      expect(GMAIL).toContain(name);
      if (name === "margin") expect(value).not.toContain("auto"); // Outlook centres by align
    }
    // what Outlook reads from attributes says the same
    if (style["background"] && tag !== "body")
      expect(attributes["bgcolor"]).toBe(style["background"]);
    if (style["width"]) expect(`${attributes["width"]}px`).toBe(style["width"]);
    if (tag === "img") expect(Number(attributes["width"])).toBeLessThanOrEqual(600);
  }
}
