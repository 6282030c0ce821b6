/* The layouts of the gallery: mails of blocks that hold in every mail program, in both languages. */
import { describe, expect, it } from "vitest";
import { newMailHtml } from "../../dashboard/src/pages/templates/blocks/new-mail.ts";
import { readBlocks } from "../../dashboard/src/pages/templates/blocks/stored-blocks.ts";
import { layoutMail, LAYOUTS } from "../../dashboard/src/pages/templates/layouts/layouts.ts";
import { de } from "../../dashboard/src/pages/templates/layouts/text.de.ts";
import { en } from "../../dashboard/src/pages/templates/layouts/text.en.ts";
import { PLACEHOLDER_URL, placeholdersIn } from "../../src/lib/placeholders.ts";
import { findElements } from "../../src/mail/html/find-elements.ts";
import { compileTemplate, renderTemplate } from "../../src/mail/template/index.ts";
import { namesUnsubscribe } from "../../src/services/templates/names-unsubscribe.ts";
import { expectShown } from "../support/mail-readers.ts";

const ORIGIN = "https://mail.example";
const ADDRESS = "Tidewater Ltd\n4 Harbour Street";
/** Gmail clips what is longer. */
const CLIPPED_BYTES = 102 * 1_024;

const WORDS = { en, de };
type Language = keyof typeof WORDS;
const ALL = LAYOUTS.flatMap((layout) =>
  (["en", "de"] as const).map((language): [typeof layout, Language] => [layout, language]),
);

const sourceOf = (layout: (typeof LAYOUTS)[number], language: Language = "en") =>
  newMailHtml(
    layoutMail(layout, WORDS[language], { name: "Tide <water>", origin: ORIGIN, address: ADDRESS }),
  );
const mailed = (source: string, data: Record<string, unknown>) =>
  renderTemplate(compileTemplate(source, { escape: true }), data);

describe("each layout", () => {
  it.each(ALL)("holds in mail programs, and opens as blocks: %s, %s", async (layout, language) => {
    const source = sourceOf(layout, language);
    expect(readBlocks(source)).toMatchObject({ kind: "blocks", isChanged: false });
    const html = mailed(source, { unsubscribe_url: `${ORIGIN}/u` });
    await expectShown(html);
    expect(new TextEncoder().encode(html).length).toBeLessThan(CLIPPED_BYTES / 2);
    expect(findElements(html).imagesWithoutAlt).toEqual([]);
    expect(html).toContain("Tidewater Ltd<br>4 Harbour Street");
    expect(html).not.toContain("Tide <water>");
    expect(namesUnsubscribe(source)).toBe(layout !== "receipt");
    const online = mailed(source, { view_url: `${ORIGIN}/v` });
    expect(online.includes(`href="${ORIGIN}/v"`)).toBe(layout !== "receipt");
  });

  it.each(LAYOUTS)("names what somebody has to replace: %s", (layout) => {
    const html = mailed(sourceOf(layout), {});
    const found = placeholdersIn(html).map(({ text }) => text);
    if (layout !== "receipt") expect(found).toContain(PLACEHOLDER_URL);
    expect(found.some((text) => text.endsWith(".png"))).toBe(html.includes("<img"));
  });

  it.each(LAYOUTS)("greets without a name as well as with one: %s", (layout) => {
    const source = sourceOf(layout);
    expect(mailed(source, {})).not.toContain("Ada");
    expect(mailed(source, { name: "Ada" }).includes("Ada")).toBe(source.includes("{{name}}"));
  });
});

it("lists the items of an order in the receipt, escaped, with their sum", () => {
  const order = {
    order_number: "77",
    items: [{ name: "<Ink>", quantity: 2, price: "4.00" }],
    total: "8.00",
    currency: "EUR",
  };
  const html = mailed(sourceOf("receipt"), order);
  expect(html).toContain("&lt;Ink&gt; × 2</td>");
  expect(html).toMatch(/>4\.00 EUR<\/td><\/tr><tr>.*>Total<.*>8\.00 EUR</);
});
