/*
 * The block editor of the dashboard: the mails that it makes, and the blocks that it finds again in
 * their HTML.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FONT_NAMES,
  type Block,
  type LeafBlock,
  type Mail,
  type Paragraph,
  type Run,
} from "../../dashboard/src/pages/templates/blocks/model.ts";
import {
  documentOf,
  paragraphsOf,
} from "../../dashboard/src/pages/templates/block-editor/rich-text.ts";
import {
  allBlocks,
  blocksAt,
  insertBlock,
  moveBlock,
  removeBlock,
  spotForNew,
  spotOf,
  stepBlock,
} from "../../dashboard/src/pages/templates/blocks/operations.ts";
import { blockAtLine, renderMail } from "../../dashboard/src/pages/templates/blocks/render-mail.ts";
import {
  dropBlocks,
  readBlock,
  readBlocks,
  storeBlocks,
  storedBlock,
} from "../../dashboard/src/pages/templates/blocks/stored-blocks.ts";
import {
  readable,
  safeImageUrl,
  safeUrl,
} from "../../dashboard/src/pages/templates/blocks/variables.ts";
import { compileTemplate, renderTemplate } from "../../src/mail/template/index.ts";
import { expectShown, readHtml } from "../support/mail-readers.ts";
import { namesUnsubscribe } from "../../src/services/templates/names-unsubscribe.ts";

/** Texts that would be more than text where something leaves them as they are. */
const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  "</td></table><iframe src=//evil.example>",
  "--}}{{{html}}}",
  "{{{{raw}}}}",
  "{{{html}}}",
  "{{{html}}",
  "{{&html}}",
  '{{html "<b>"}}',
  "{{> partial}}",
  "{{!-- hidden --}}",
  "\\{{html}}",
  "{{!--postrider:blocks:1 0000000000000000 {}--}}",
  "<!--[if mso]>",
  "javascript:alert(1)",
  "\u0000\u0008<b>",
  "&lt;b&gt; &#123;",
  "{{name}}",
];

const words = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" }));
const address = fc.oneof(words, fc.constantFrom("https://shop.example/?a=1&b={{name}}", "{{url}}"));
const align = fc.constantFrom("left" as const, "center" as const, "right" as const);
const optional = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const flag = optional(true as const);
const id = fc.constant("");

const run = fc
  .record({
    text: words,
    isBold: flag,
    isItalic: flag,
    link: fc.option(address, { nil: undefined }),
  })
  .map(({ text, isBold, isItalic, link }): Run => ({
    text,
    ...(isBold && { isBold }),
    ...(isItalic && { isItalic }),
    ...(link !== undefined && { link }),
  }));
const paragraph = fc.record({
  kind: fc.constantFrom("plain" as const, "dot" as const, "number" as const),
  runs: fc.array(run, { maxLength: 3 }),
});
const leaf: fc.Arbitrary<LeafBlock> = fc.oneof(
  fc.record({
    type: fc.constant("heading" as const),
    id,
    level: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
    align,
    text: words,
  }),
  fc.record({
    type: fc.constant("text" as const),
    id,
    align,
    size: optional("large" as const, "small" as const),
    paragraphs: fc.array(paragraph, { maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant("button" as const),
    id,
    align,
    label: words,
    url: address,
    isOutlined: flag,
  }),
  fc.record({
    type: fc.constant("image" as const),
    id,
    align,
    src: address,
    alt: words,
    url: address,
    width: fc.integer({ min: 5, max: 100 }),
    isWide: flag,
  }),
  fc.record({ type: fc.constant("divider" as const), id }),
  fc.record({ type: fc.constant("spacer" as const), id, height: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ type: fc.constant("quote" as const), id, text: words, by: words }),
  fc.record({
    type: fc.constant("social" as const),
    id,
    align,
    links: fc.array(fc.record({ label: words, url: address }), { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant("footer" as const),
    id,
    text: words,
    view: fc.option(words, { nil: undefined }),
    leave: words,
  }),
);
const block: fc.Arbitrary<Block> = fc.oneof(
  { weight: 5, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("columns" as const),
      id,
      columns: fc.array(fc.array(leaf, { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      band: optional("soft" as const, "accent" as const),
      first: optional(20, 33, 80),
    }),
  },
);
const color = fc.constantFrom("#000000", "#1d4ed8", "#ffffff");
const mails = fc
  .record({
    look: fc.record({
      accent: color,
      background: color,
      font: fc.constantFrom(...FONT_NAMES),
      headingFont: fc.option(fc.constantFrom(...FONT_NAMES), { nil: undefined }),
      preheader: words,
    }),
    blocks: fc.array(block, { maxLength: 5 }),
  })
  .map(numbered);

/** Numbers blocks as a reader of the HTML does. */
function numbered({ look, blocks }: Mail): Mail {
  let count = 0;
  const next = () => String(++count);
  return {
    look,
    blocks: blocks.map((one): Block =>
      one.type === "columns"
        ? {
            ...one,
            id: next(),
            columns: one.columns.map((leaves) => leaves.map((leaf) => ({ ...leaf, id: next() }))),
          }
        : { ...one, id: next() },
    ),
  };
}

const LOOK = { accent: "#1d4ed8", background: "#f4f4f5", font: "sans", preheader: "" } as const;
const mailOf = (...blocks: Block[]): Mail => numbered({ look: LOOK, blocks });
const textOf = (text: string, link?: string): Block => ({
  type: "text",
  id: "",
  align: "left",
  paragraphs: [{ kind: "plain", runs: [{ text, ...(link !== undefined && { link }) }] }],
});

const DATA = { name: "Ann", url: "https://ann.example/", html: "<b>bold</b>" };
/** Returns the HTML that a recipient gets. */
const mailedOf = (source: string, data: Record<string, unknown> = DATA): string =>
  renderTemplate(compileTemplate(source, { escape: true }), data);

describe("a mail of blocks", () => {
  it("is read from its HTML as it was, whatever its texts hold", () => {
    fc.assert(
      fc.property(mails, (mail) => {
        const source = storeBlocks(renderMail(mail), mail);
        expect(readBlocks(source)).toEqual({ kind: "blocks", mail, isChanged: false });
        expect(dropBlocks(source)).toBe(`${renderMail(mail)}\n`);
      }),
      { numRuns: 100 },
    );
  });

  it("sets headings in the font of the text, unless its look has one for headings", () => {
    const blocks: Block[] = [
      { type: "heading", id: "", level: 1, align: "left", text: "News" },
      textOf("Hello"),
    ];
    const html = renderMail(mailOf(...blocks));
    const withFont = (headingFont: "sans" | "serif") =>
      renderMail(numbered({ look: { ...LOOK, headingFont }, blocks }));
    expect(withFont("sans")).toBe(html);
    const serif = withFont("serif");
    expect(/<h1[^>]*>/.exec(serif)?.[0]).toContain("Georgia,'Times New Roman',serif");
    expect(serif.match(/Georgia/g)).toHaveLength(1);
  });

  it("keeps every text a text: no tag, no attribute and no expression comes out of it", async () => {
    const harmless = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (key, one: unknown) =>
          ["text", "label", "alt", "leave", "preheader"].includes(key) && one !== ""
            ? "x"
            : ["url", "src", "link"].includes(key)
              ? safeUrl(String(one)) === undefined || (key === "src" && !safeImageUrl(String(one)))
                ? "nowhere"
                : "https://x.example"
              : one,
        ),
      );
    const shapeOf = async (html: string) =>
      (await readHtml(html)).elements
        .filter(({ tag }) => tag !== "br") // a line end of a text
        .map(({ tag, attributes }) => [tag, Object.keys(attributes).join()]);
    await fc.assert(
      fc.asyncProperty(mails, async (mail) => {
        const mailed = mailedOf(storeBlocks(renderMail(mail), mail));
        expect(mailed).not.toContain('"look":'); // the stored blocks
        expect(mailed).not.toContain(DATA.html);
        expect(await shapeOf(mailed)).toEqual(
          await shapeOf(mailedOf(renderMail(harmless(mail) as Mail))),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("is tables within cells, each element closed, for Outlook and for others", () => {
    const VOID = new Set(["meta", "img", "br", "!doctype"]);
    const parents = { td: ["tr"], tr: ["table"], li: ["ul", "ol"], table: ["td", "body"] };
    const nests = (html: string) => {
      const open: string[] = [];
      for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/gi)) {
        const tag = name.toLowerCase();
        if (VOID.has(tag)) continue;
        if (slash) expect([tag, open.pop()]).toEqual([tag, tag]);
        else {
          for (const [child, allowed] of Object.entries(parents))
            if (child === tag) expect(allowed).toContain(open.at(-1));
          open.push(tag);
        }
      }
      expect(open).toEqual([]);
    };
    fc.assert(
      fc.property(mails, (mail) => {
        const html = renderMail(mail);
        nests(html.replaceAll(/<!--\[if mso\]>|<!\[endif\]-->/g, ""));
        nests(html.replaceAll(/<!--\[if mso\]>[\s\S]*?<!\[endif\]-->/g, ""));
      }),
      { numRuns: 50 },
    );
  });

  it("asks of each reader only what it shows: Outlook's lists by element, and Gmail's", async () => {
    await fc.assert(
      fc.asyncProperty(mails, async (mail) => {
        const html = renderMail(mail);
        await expectShown(html);
        expect(html).toContain('<!--[if mso]><table role="presentation" width="600"');
      }),
      { numRuns: 50 },
    );
  });

  it("puts values into variables and conditions, escaped", () => {
    const source = renderMail(
      mailOf(
        { type: "heading", id: "", level: 1, align: "left", text: "Hi {{ name }}" },
        textOf("{{#if plan}}Plan {{metadata.plan}}{{else}}No plan{{/if}} {{{name}}} {{& name}}"),
        { type: "button", id: "", align: "left", label: "Go, {{name}}", url: "{{url}}" },
      ),
    );
    const mailed = mailedOf(source, {
      name: "<Ann>",
      plan: 1,
      metadata: { plan: "a&b" },
      url: '"',
    });
    expect(mailed).toContain("Hi &lt;Ann&gt;</h1>");
    expect(mailed).toContain("Plan a&amp;b &#123;");
    expect(mailed).toContain("&#123;&#123;&amp; name&#125;&#125;");
    expect(mailed).toContain('href="&quot;"');
    expect(mailed).toContain("Go, &lt;Ann&gt;</a>");
  });

  it("links to https, mail addresses and variables alone", () => {
    const good = ["https://a.example", "HTTPS://a.example/x?y={{name}}#z", "mailto:a@b.example"];
    for (const url of [...good, "{{metadata.url}}", " https://a.example "])
      expect(safeUrl(url)).toBe(url.trim());
    const bad = [
      "",
      "http://a.example",
      "javascript:alert(1)",
      "//a.example",
      "/x",
      "data:text/html,x",
    ];
    const veiled = [
      "java\nscript:x",
      "{{a}}{{b}}",
      "{{scheme}}:x",
      "https://",
      "https:\\\\a",
      "vbscript:x",
    ];
    for (const url of [...bad, ...veiled, "https://a.example/ onclick=x"]) {
      expect([url, safeUrl(url)]).toEqual([url, undefined]);
      expect(renderMail(mailOf(textOf("words", url)))).not.toContain("<a ");
    }
    expect(safeImageUrl("mailto:a@b.example")).toBeUndefined();
  });

  it("offers subscribers the link to unsubscribe, and nobody else", () => {
    const footer = {
      type: "footer",
      id: "",
      text: "Postrider Ltd\nBerlin",
      leave: "Leave",
    } as const;
    const mail = mailOf(footer);
    const source = storeBlocks(renderMail(mail), mail);
    expect(namesUnsubscribe(source)).toBe(true);
    expect(mailedOf(source, { unsubscribe_url: "https://x.example/u" })).toContain(
      'href="https://x.example/u"',
    );
    expect(mailedOf(source, {})).not.toContain("Leave");
    expect(mailedOf(source, {})).toContain("Postrider Ltd<br>Berlin");
    expect(namesUnsubscribe(storeBlocks(renderMail(mailOf()), mail))).toBe(false);
  });

  it("links a broadcast to its page in the browser, before the link to unsubscribe", () => {
    const plain = { type: "footer", id: "", text: "", leave: "Leave" } as const;
    const source = renderMail(mailOf({ ...plain, view: "View <here>" }));
    const links = { view_url: "https://x.example/v", unsubscribe_url: "https://x.example/u" };
    expect(mailedOf(source, links)).toMatch(
      /href="https:\/\/x\.example\/v"[^>]*>View &lt;here&gt;<\/a> &nbsp;·&nbsp; <a [^>]*href="https:\/\/x\.example\/u"/,
    );
    const { view_url: _, ...transactional } = links;
    expect(mailedOf(source, transactional)).toBe(
      mailedOf(renderMail(mailOf(plain)), transactional),
    );
    expect(renderMail(mailOf(plain))).not.toContain("view_url");
  });

  it("tells a change of its HTML by hand, and what it cannot read", () => {
    const mail = mailOf(textOf("words"));
    const source = storeBlocks(renderMail(mail), mail);
    const changed = source.replace("words", "other words");
    expect(readBlocks(changed)).toEqual({ kind: "blocks", mail, isChanged: true });
    expect(readBlocks(`${source}<p>more</p>`)).toMatchObject({ isChanged: true });
    expect(readBlocks("<p>Hi {{name}}</p>")).toEqual({ kind: "none" });
    const stored = source.slice(source.indexOf("{{!--"));
    const html = source.slice(0, source.indexOf("{{!--"));
    for (const [from, to] of [
      ["blocks:1 ", "blocks:2 "],
      ['"type":"text"', '"type":"video"'],
      ['"align":"left"', '"align":"left","style":"x"'],
      ["#1d4ed8", "red;background:url(x)"],
      ["--}}", ""],
    ] as const) {
      expect(stored).toContain(from);
      expect(readBlocks(html + stored.replace(from, to))).toEqual({ kind: "unreadable" });
    }
  });

  it("opens again as blocks after all that fits into a template: long links, headings and many lines", () => {
    const link = `https://shop.example/?token=${"x".repeat(3_000)}`;
    const lines = Array.from({ length: 1_200 }, (): Paragraph => ({ kind: "dot", runs: [] }));
    const paragraphs: Paragraph[] = [{ kind: "plain", runs: [{ text: "x", link }] }, ...lines];
    const mail = mailOf(
      { type: "text", id: "", align: "left", paragraphs },
      { type: "heading", id: "", level: 1, align: "left", text: `${"x".repeat(995)}{{name}}` },
      { type: "footer", id: "", text: "x".repeat(101_000), leave: "Leave" },
    );
    const source = storeBlocks(renderMail(mail), mail);
    expect(source.length).toBeLessThan(512 * 1024);
    expect(readBlocks(source)).toMatchObject({ kind: "blocks", isChanged: false });
  });

  it("says which block makes a line of its HTML", () => {
    const mail = mailOf(textOf("one"), textOf("two"));
    const at = renderMail(mail)
      .split("\n")
      .findIndex((line) => line.includes("two"));
    expect([blockAtLine(mail, at + 1), blockAtLine(mail, 1)]).toEqual(["2", undefined]);
  });

  it("stores a block by itself, and reads only known ones", () => {
    const columns: Block = { type: "columns", id: "", columns: [[textOf("in") as LeafBlock], []] };
    for (const block of mailOf(textOf("one"), columns).blocks) {
      const stored = JSON.stringify(storedBlock(block));
      expect(stored).not.toContain('"id"');
      expect(storedBlock(readBlock(JSON.parse(stored)) ?? block)).toEqual(storedBlock(block));
    }
    expect(readBlock({ type: "countdown" })).toBeUndefined();
    expect(readBlock({ type: "spacer", height: 10, id: "1" })).toBeUndefined();
  });

  it("marks the row of each block for clicks, also in columns, and changes nothing else", () => {
    const columns: Block = { type: "columns", id: "", columns: [[textOf("in") as LeafBlock], []] };
    const mail = mailOf(textOf("one"), columns, textOf("two")); // ids 1, 2 with 3, 4
    const marked = renderMail(mail, true);
    const ids = [...marked.matchAll(/<tr data-block="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["1", "2", "3", "4"]);
    expect(allBlocks(mail).map(({ id }) => id)).toEqual(ids);
    expect(marked.replaceAll(/ data-block="[^"]*"/g, "")).toBe(renderMail(mail));
  });

  it("adds a block after the selected one, or else above the footer", () => {
    const footer = { type: "footer", id: "", text: "Us", leave: "Leave" } as const;
    const columns: Block = { type: "columns", id: "", columns: [[textOf("in") as LeafBlock], []] };
    const mail = mailOf(textOf("one"), columns, textOf("two"), footer); // ids 1, 2 with 3, 4, 5
    const indexFor = (id?: string) => spotForNew(mail, undefined, id).index;
    expect([indexFor(), indexFor("1"), indexFor("3"), indexFor("5")]).toEqual([3, 1, 2, 3]);
    const inColumn = spotForNew(mail, { columnsId: "2", column: 0 }, "3");
    expect(inColumn).toEqual({ place: { columnsId: "2", column: 0 }, index: 1 });
    expect(spotForNew(mailOf(textOf("one")), undefined, undefined).index).toBe(1);
  });

  it("puts the HTML of a block into the mail as it is", () => {
    const html = "<p>{{#each items}}\n<b>{{this}}</b>{{/each}}</p>";
    const mail = mailOf({ type: "html", id: "", html });
    expect(mailedOf(renderMail(mail), { items: [1, 2] })).toContain("<p>\n<b>1</b>\n<b>2</b></p>");
    expect(readBlocks(storeBlocks(renderMail(mail), mail))).toEqual({
      kind: "blocks",
      mail,
      isChanged: false,
    });
  });

  it("moves blocks between its lists and loses none", () => {
    const spots = fc.record({
      index: fc.nat(6),
      column: fc.nat(2),
      from: fc.nat(20),
      to: fc.nat(20),
      step: fc.constantFrom(1 as const, -1 as const),
    });
    const idsOf = ({ blocks }: Mail) =>
      blocks.flatMap((one) =>
        one.type === "columns" ? [one.id, ...one.columns.flat().map(({ id }) => id)] : [one.id],
      );
    fc.assert(
      fc.property(mails, fc.array(spots, { maxLength: 5 }), (mail, moves) => {
        let now = mail;
        const ids = idsOf(mail);
        for (const { index, column, from, to, step } of moves) {
          const id = ids[from % ids.length] ?? "";
          const target = now.blocks[to % (now.blocks.length + 1)];
          const place =
            target?.type === "columns" && column < target.columns.length
              ? { columnsId: target.id, column }
              : undefined;
          const at = Math.min(index, blocksAt(now, place).length);
          now = moveBlock(now, id, { place, index: at });
          now = stepBlock(now, id, step) ?? now;
          expect(idsOf(now).toSorted()).toEqual(ids.toSorted());
        }
        const first = ids[0] ?? "";
        const spot = spotOf(now, first);
        const taken = spot && blocksAt(now, spot.place)[spot.index];
        if (taken) expect(insertBlock(removeBlock(now, first), spot, taken)).toEqual(now);
      }),
      { numRuns: 100 },
    );
    const [one, two, three] = [textOf("one"), textOf("two"), textOf("three")];
    const mail = mailOf(one, two, three);
    const down = moveBlock(mail, "1", { place: undefined, index: 2 });
    expect(down.blocks.map(({ id }) => id)).toEqual(["2", "1", "3"]);
    expect(stepBlock(mail, "3", 1)).toBeUndefined();
  });

  it("gives the editor of a text its paragraphs, and takes them back as they were", () => {
    const list: Paragraph[] = [
      { kind: "plain", runs: [{ text: "a\nb " }, { text: "c", isBold: true, isItalic: true }] },
      { kind: "dot", runs: [{ text: "<b>", link: "https://a.example" }] },
      { kind: "dot", runs: [] },
      { kind: "number", runs: [{ text: "{{name}}" }] },
      { kind: "plain", runs: [] },
    ];
    expect(paragraphsOf(documentOf(list))).toEqual(list);
    const greeting =
      "Hi {{#if name}}{{name}}{{else}}there{{/if}}, {{ city }}{{#if a}}b{{/if}}{{x.y}}";
    const greeted: Paragraph[] = [{ kind: "plain", runs: [{ text: greeting }] }];
    expect(paragraphsOf(documentOf(greeted))).toEqual(greeted);
    const chips = documentOf(greeted).content?.[0]?.content?.filter(
      (one) => one.type === "variable",
    );
    expect(chips?.map(({ attrs }) => attrs?.["source"])).toEqual([
      "{{#if name}}{{name}}{{else}}there{{/if}}",
      "{{x.y}}",
    ]);
    expect(readable(greeting)).toBe("Hi [name / there], {{ city }}{{#if a}}b{{/if}}[x.y]");
    expect(paragraphsOf(documentOf([]))).toEqual([{ kind: "plain", runs: [] }]);
    const nested = {
      type: "doc",
      content: [
        {
          type: "bulletList",
          content: [
            {
              type: "listItem",
              content: [
                { type: "paragraph", content: [{ type: "text", text: "one" }] },
                {
                  type: "orderedList",
                  content: [{ type: "listItem", content: [{ type: "paragraph" }] }],
                },
              ],
            },
          ],
        },
      ],
    };
    expect(paragraphsOf(nested)).toEqual([
      { kind: "dot", runs: [{ text: "one" }] },
      { kind: "number", runs: [] },
    ]);
  });
});
