import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEntities } from "../../src/mail/html/entities.ts";
import { readHtml } from "../../src/mail/html/to-text.ts";
import { trackableUrl } from "../../src/mail/html/rewrite-links.ts";
import { rewriteLinks } from "../support/rewrite-links.ts";
import { NEWSLETTERS } from "../fixtures/newsletters/all.ts";

const CLICK = "https://mail.example/c?u=";

/** Calls of `track` in order; every link is rewritten. */
async function trackedUrls(html: string): Promise<string[]> {
  const urls: string[] = [];
  await rewriteLinks(html, (url) => {
    urls.push(url);
    return CLICK;
  });
  return urls;
}

const rewritten = (html: string) =>
  rewriteLinks(html, (url) => `${CLICK}${encodeURIComponent(url)}&v=1`);

describe("links", () => {
  it.each([
    ['<a href="http://a.example/">', "http://a.example/"],
    ["<a href='http://a.example/?q=\"1\"'>", 'http://a.example/?q="1"'],
    ["<a href=http://a.example/?x=1&y=2>", "http://a.example/?x=1&y=2"],
    ["<A CLASS=x HREF = 'HTTP://A.Example/'>", "HTTP://A.Example/"],
    ['<area href="https://a.example/">', "https://a.example/"],
    ['<a href=" \n\thttps://a.example/\n x\ty ">', "https://a.example/ xy"],
    ['<a href="&#32;https://a.example/&Tab;x&NewLine;y&#1;">', "https://a.example/xy"],
    ['<a href="ht&#116;ps&colon;&sol;&sol;a.example&quest;b&equals;1">', "https://a.example?b=1"],
    [
      '<a href="https://a.example/?a=1&amp;b=2&#38;c=3&#x26;d=4&AMP;e">',
      "https://a.example/?a=1&b=2&c=3&d=4&e",
    ],
    [
      '<a href="https://a.example/?a=1&copy=2&reg3=4&amp=5">',
      "https://a.example/?a=1&copy=2&reg3=4&amp=5",
    ],
    ['<a href="https://a.example/?a=1&copy&b=&lt">', "https://a.example/?a=1©&b=<"],
    ['<a href="https://a.example/?a=&copy;=1">', "https://a.example/?a=©=1"],
    [
      '<a href="https://a.example/?&bigstar;&NotEqualTilde;&CounterClockwiseContourIntegral;">',
      "https://a.example/?★≂̸∳",
    ],
    ['<a href="https://a.example/?&notit&notin&ltb&COPY">', "https://a.example/?&notit&notin&ltb©"],
    ['<a href="https://a.example/?a=1&lang=de&amp;amp;b">', "https://a.example/?a=1&lang=de&amp;b"],
    [
      '<a href="https://a.example/?&#8364&#x20ACg&#128;&#0;&#xD800;&#x110000;">',
      "https://a.example/?€€g€���",
    ],
    ['<a href="https://a.example/a b/<c>/{d}">', "https://a.example/a b/<c>/{d}"],
    ['<a href="https://[::1]:8080/?a[]=1">', "https://[::1]:8080/?a[]=1"],
    ['<a href="https://bücher.example/ß?ü=💌">', "https://bücher.example/ß?ü=💌"],
    ['<a href="https:\\\\a.example\\b">', "https:\\\\a.example\\b"],
    ['<a href="https://a.example/1" href="https://a.example/2">', "https://a.example/1"],
    ['<svg><a href="https://a.example/"/></svg>', "https://a.example/"],
    ['<!--[if !mso]><!--><a href="https://a.example/"><!--<![endif]-->', "https://a.example/"],
  ])("%s lead to %s", async (html, url) => {
    expect(await trackedUrls(html)).toEqual([url]);
  });

  it.each([
    '<a href="mailto:a@b.example">',
    '<a href="tel:+431">',
    '<a href="#top">',
    '<a href="">',
    "<a href>",
    "<a name=x>",
    '<a href="/path">',
    '<a href="//a.example/">',
    '<a href="page.html?u=https://a.example/">',
    '<a href="https:a.example">',
    '<a href="https:/a.example">',
    '<a href="https://">',
    '<a href="https://[::1/">',
    '<a href="https://a.example:99999/">',
    '<a href="ftp://a.example/">',
    '<a href="javascript:alert(1)">',
    '<a href="data:text/html,x">',
    '<a href="https://a.example/?x&unknownname;y">',
    '<a data-no-track href="https://a.example/">',
    '<a href="https://a.example/" DATA-NO-TRACK="">',
    '<link href="https://a.example/"><img src="https://a.example/"><form action="https://a.example/">',
    '<!-- <a href="https://a.example/"> -->',
    '<!--[if mso]><a href="https://a.example/">x</a><![endif]-->',
    '<style>/* <a href="https://a.example/"> */</style>',
    '<script>"<a href=https://a.example/>"</script>',
    '<textarea><a href="https://a.example/"></textarea>',
    "&lt;a href=https://a.example/&gt;",
    '<p title="<a href=https://a.example/>">',
    '<a href="https://a.example/',
  ])("%s are left unchanged, byte for byte", async (html) => {
    expect(await trackedUrls(html)).toEqual([]);
    expect(await rewritten(html)).toBe(html);
  });

  it("with a URL over 8,000 bytes stay unchanged", async () => {
    const link = (path: string) => `<a href="https://a.example/${path}">`;
    const longest = "x".repeat(8_000 - "https://a.example/".length);
    expect(await trackedUrls(link(longest))).toHaveLength(1);
    expect(await trackedUrls(link(`${longest}x`))).toEqual([]);
    expect(await trackedUrls(link("é".repeat(4_000)))).toEqual([]);
  });

  it("get the new URL escaped, whatever quotes surrounded the old one", async () => {
    const target = `https://t.example/?a=1&copy=2&b="x"'y'<z>`;
    const escaped = "https://t.example/?a=1&amp;copy=2&amp;b=&quot;x&quot;'y'&lt;z&gt;";
    for (const href of ['"http://a.example"', "'http://a.example'", "http://a.example"]) {
      const html = await rewriteLinks(`<a id=i href=${href} title='t'>x</a>`, () => target);
      expect(html).toBe(`<a id=i href="${escaped}" title='t'>x</a>`);
      expect(decodeEntities(escaped, "attribute")).toBe(target);
    }
  });

  it("stay unchanged where the caller returns nothing", async () => {
    const html =
      '<a href="https://a.example/u?x=1&amp;y=2">u</a><a  href="https://a.example/b">b</a>';
    const skip = (url: string) => url === "https://a.example/u?x=1&y=2";
    expect(await rewriteLinks(html, (url) => (skip(url) ? undefined : "T"))).toBe(
      '<a href="https://a.example/u?x=1&amp;y=2">u</a><a  href="T">b</a>',
    );
    expect(await rewriteLinks(html, () => undefined)).toBe(html);
    expect(await rewriteLinks(html, async (url) => (skip(url) ? "T" : undefined))).toContain(
      '<a href="T">u</a><a  href="https://a.example/b">',
    );
  });

  it("throw the caller's error and do not call it again", async () => {
    let asked = 0;
    const html = '<a href="https://a.example/">'.repeat(3);
    const failure = rewriteLinks(html, async () => {
      asked++;
      throw new RangeError("no key");
    });
    await expect(failure).rejects.toThrow(new RangeError("no key"));
    expect(asked).toBe(1);
  });

  it("in deeply nested HTML are found in linear time", async () => {
    const html = `${"<div>".repeat(200_000)}<a href="https://a.example/">x</a>`;
    expect(await trackedUrls(html)).toEqual(["https://a.example/"]);
  });

  it("lose their tags, wherever those stand", async () => {
    const tags: (string | undefined)[] = [];
    const track = (_url: string, tag?: string) => {
      tags.push(tag);
      return "T";
    };
    const html = `<a data-tag=a href='https://a.example/'>x</a><a href="https://a.example/" data-tag="&#66;">y</a>`;
    expect(await rewriteLinks(html, track)).toBe('<a  href="T">x</a><a href="T" >y</a>');
    expect(tags).toEqual(["a", "b"]);
  });

  it("are not found in a document with a byte order mark and odd controls, which stays unchanged", async () => {
    const html = "\ufeff<p>\u0000\r\n\r\u2028 💌 &nbsp; <br/></P ><!-- -- > --><";
    expect(await rewritten(html)).toBe(html);
  });
});

describe("a newsletter", () => {
  it.each(Object.entries(NEWSLETTERS))(
    "%s: every rewritten link leads to its original URL",
    async (_, html) => {
      const before = await hrefs(html);
      const after = await hrefs(await rewritten(html));
      expect(after).toHaveLength(before.length);
      let tracked = 0;
      for (const [index, old] of before.entries()) {
        const now = after[index] ?? "";
        if (now === old) continue;
        tracked++;
        const target = new URL(browserText(now)).searchParams.get("u") ?? "";
        expect(new URL(target).href).toBe(new URL(browserText(old)).href);
      }
      expect(tracked).toBe((await trackedUrls(html)).length);
      expect(tracked).toBeGreaterThan(2);
    },
  );

  it.each(Object.entries(NEWSLETTERS))("%s: nothing but its links is changed", async (_, html) => {
    const opaque = await rewriteLinks(html, () => "LINK");
    const pieces = opaque.split('href="LINK"');
    expect(pieces.length).toBeGreaterThan(2);
    let from = 0;
    for (const piece of pieces) {
      const at = html.indexOf(piece, from);
      expect(html.slice(from, at)).toMatch(
        from === 0 ? /^$/ : /^href\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)$/i,
      );
      from = at + piece.length;
    }
    expect(from).toBe(html.length);
  });

  it.each([
    ["dragAndDrop", 11],
    ["inlineStyles", 28],
    ["international", 27],
    ["sections", 8],
    ["shopReceipt", 7],
    ["tableLayout", 8],
  ] as const)("%s has %i tracked links", async (name, count) => {
    expect(await trackedUrls(NEWSLETTERS[name])).toHaveLength(count);
  });

  it("links are found as listed", async () => {
    expect(await trackedUrls(NEWSLETTERS.sections)).toEqual([
      "https://letters.example:8443/a/b;c=d?e=f&g[]=1&g[]=2#section-2",
      "HTTPS://Letters.Example/UPPER?Q=1",
      "https://letters.example/unquoted?x=1&y=2",
      "https://letters.example/wrap?first=1&              second=2",
      "https://letters.example/read/26?utm_source=sections&utm_medium=email&utm_term=a+b%20c",
      "https://letters.example/archive/",
      "https://letters.example/?s=‘x’&p=1",
      'https://letters.example/map?x="q"&y=%22',
    ]);
    expect(await trackedUrls(NEWSLETTERS.international)).toContain("https://fr.example/?a=1★x=2");
  });

  it("with any URLs in any quoting keeps their targets", async () => {
    const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
    const tail = fc.string({
      unit: fc.constantFrom(..."& = ; a m p c o y l t # x 2 6 é % < > [ ] { } \" ' \t".split(" ")),
      maxLength: 12,
    });
    const link = fc.record({
      url: fc.tuple(url, tail).map(([base, rest]) => `${base}/${rest}`),
      quote: fc.constantFrom('"', "'"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(link, { maxLength: 6 }), async (links) => {
        const html = links.map(
          (each) =>
            `<p>a &lt; b <a href=${each.quote}${escape(each.url, each.quote)}${each.quote}>x`,
        );
        const found = await trackedUrls(html.join("</a>\n"));
        expect(found.map((text) => new URL(text).href)).toEqual(
          links.map((each) => new URL(each.url).href),
        );
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it("of any HTML are those that the runtime's parser finds", async () => {
    const pieces =
      "<a href=\"|\">|</a>|<a href='|'>|<a |href=|href=\"https://a.test/|\"|'|>|<area href=\"|<!--|-->|<!-|-|<!|<|</|/|=|a|?|<style>|</style>|<title>|</title>|<script>|</script>|<textarea>|</textarea>|data-no-track|data-tag=x|title=\"x\"| |\n|&amp;|https://c.test/|<a href=https://d.test/>|<a title='x' href='https://e.test/'>|<table><td>|<p hidden>";
    const html = fc
      .array(fc.constantFrom(...pieces.split("|")), { maxLength: 16, size: "max" })
      .map((all) => all.join(""));
    let links = 0;
    await fc.assert(
      fc.asyncProperty(html, async (source) => {
        const expected: string[] = [];
        const element = (found: Element) => {
          const url = trackableUrl(found.getAttribute("href") ?? "");
          if (url !== undefined && !found.hasAttribute("data-no-track")) expected.push(url);
        };
        await new HTMLRewriter()
          .on("a[href],area[href]", { element })
          .transform(new Response(source))
          .text();
        links += expected.length;
        expect(await trackedUrls(source)).toEqual(expected);
        expect(await trackedUrls(await rewritten(source))).toHaveLength(expected.length);
      }),
      { seed: 20, numRuns: 1_000 },
    );
    expect(links).toBeGreaterThan(100);
  });

  const escape = (text: string, quote: string) =>
    text.replaceAll("&", "&amp;").replaceAll(quote, `&#${quote.charCodeAt(0)};`);

  /** Raw `href` values of a document, found without the code under test. */
  async function hrefs(html: string): Promise<string[]> {
    const values: string[] = [];
    const element = (found: Element) => void values.push(found.getAttribute("href") ?? "");
    await new HTMLRewriter()
      .on("a[href],area[href]", { element })
      .transform(new Response(html))
      .text();
    return values;
  }

  /** Character references of the fixtures, decoded one by one. */
  function browserText(raw: string): string {
    const known: Record<string, string> = {
      "&amp;": "&",
      "&quot;": '"',
      "&#38;": "&",
      "&#x26;": "&",
      "&#39;": "'",
      "&apos;": "'",
      "&eacute;": "é",
      "&nbsp;": "\u00a0",
      "&tilde;": "\u02dc",
      "&AMP;": "&",
      "&#45;": "-",
      "&#50;": "2",
      "&#58;": ":",
      "&#61;": "=",
      "&#104;": "h",
      "&#x2F;": "/",
      "&percnt;": "%",
      "&#769;": "\u0301",
      "&auml;": "ä",
      "&uuml;": "ü",
      "&#8216;": "‘",
      "&rsquo;": "’",
      "&bigstar;": "★",
    };
    return raw.replace(/&#?\w+;/g, (reference) => known[reference] ?? reference);
  }
});

it.each([
  ["<p>x", "|<p>x"],
  ["", "|"],
  [
    "<!DOCTYPE html><html><head><title>x</title></head><p>x",
    "<!DOCTYPE html><html><head><title>x</title></head>|<p>x",
  ],
  ['<BODY class="a>b">x<body>y', '<BODY class="a>b">|x<body>y'],
  ["<!--[if mso]><body><![endif]--><body>x", "<!--[if mso]><body><![endif]--><body>|x"],
  ["x<body never closed", "|x<body never closed"],
])("the preview text of %j begins its content", (html, expected) => {
  const { bodyStart } = readHtml(html);
  expect(`${html.slice(0, bodyStart)}|${html.slice(bodyStart)}`).toBe(expected);
});

const insert = (html: string, addition: string) => {
  const { bodyEnd } = readHtml(html);
  return html.slice(0, bodyEnd) + addition + html.slice(bodyEnd);
};

describe("the pixel and the footer", () => {
  it.each([
    ["<p>x", "<p>x|"],
    ["", "|"],
    ["just text", "just text|"],
    ["<body>x</BODY >\n", "<body>x|</BODY >\n"],
    ["<body>a</body>b</body>c", "<body>a</body>b|</body>c"],
    ["<body>x</body><!-- </body> -->", "<body>x|</body><!-- </body> -->"],
    ["<body>x<!-- </body> -->", "<body>x<!-- </body> -->|"],
    ["<body><script>'</body>'</script>x", "<body><script>'</body>'</script>x|"],
    ["<style>/*</body>*/</style>x</body>", "<style>/*</body>*/</style>x|</body>"],
    ['<p title="</body>">x', '<p title="</body>">x|'],
    ["<p title='</body>'>x</body>", "<p title='</body>'>x|</body>"],
    ["x<!-- never closed </body>", "x|<!-- never closed </body>"],
    ["x<style>never closed </body>", "x|<style>never closed </body>"],
    ['x<a href="never closed </body>', 'x|<a href="never closed </body>'],
    ["x</body><!-- never closed", "x|</body><!-- never closed"],
    ["<!-->x</body>", "<!-->x|</body>"],
    ["<xİ>x</body>", "<xİ>x|</body>"],
    ["1 < 2 </bodyguard> <//body>", "1 < 2 </bodyguard> <//body>|"],
  ])("in %j are inserted where a reader sees them", (html, expected) => {
    expect(insert(html, "|")).toBe(expected);
  });

  it.each(Object.entries(NEWSLETTERS))("leave the rest of %s unchanged", (_, html) => {
    const footer = "<p>FOOTER</p>";
    const [before = "", after = "", ...more] = insert(html, footer).split(footer);
    expect(more).toEqual([]);
    expect(before + after).toBe(html);
    expect(after).toMatch(/^(<\/body>\s*<\/html>\s*)?$/);
  });
});
