import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { AppError } from "../../src/errors.ts";
import { fillLinks, linkMarks, markLinks } from "../../src/mail/html/mark-links.ts";
import { rewriteLinks } from "../../src/mail/html/rewrite-links.ts";
import { compileTemplate, renderTemplate } from "../../src/mail/template/index.ts";
import { NEWSLETTERS } from "../fixtures/newsletters/all.ts";

type Data = Record<string, unknown>;

const MARKS = linkMarks("4f1c2a");
const trackedAs = (url: string) => `https://t.example/c?u=${encodeURIComponent(url)}&q="'`;

const render = (template: string, data: Data) =>
  renderTemplate(compileTemplate(template, { escape: true }), data);

/** Tracks a rendered mail and records the calls. */
async function tracking(run: (track: (url: string) => string) => Promise<string>) {
  const links: string[] = [];
  const html = await run((url) => {
    links.push(url);
    return trackedAs(url);
  });
  return { links, html: await normalized(html) };
}

/** The same document with one spelling of link tags, which both ways rewrite. */
async function normalized(html: string): Promise<string> {
  const element = (found: Element) => {
    found.setAttribute("href", found.getAttribute("href") ?? "");
  };
  return new HTMLRewriter()
    .on("a[href], area[href]", { element })
    .transform(new Response(html))
    .text();
}

/** Renders and parses each mail: the expected result of marking. */
const parsed = (template: string, data: Data) =>
  tracking((track) => rewriteLinks(render(template, data), track));

/** Marks once, then renders and fills each mail; undefined for a template with unknown links. */
async function filled(template: string, mails: Data[]) {
  const marked = await markLinks(template, MARKS);
  if (marked.kind === "unknowable") return undefined;
  return Promise.all(
    mails.map((data) => tracking((track) => fillLinks(render(marked.html, data), MARKS, track))),
  );
}

/** Data that tries to break out of every place of a variable. */
const HOSTILE = [
  "",
  "https://a.test/?x=1&y=2",
  "https://a.test/\"onclick='x'",
  "javascript:alert(1)",
  '"><a href="https://evil.test/">',
  "'><a href='https://evil.test/'>",
  "<a href=https://evil.test/>",
  "</title></style></a>",
  "--",
  "-->",
  "a",
  "!--",
  "/a",
  " data-no-track ",
  "x=y data-no-track=z",
  `${MARKS.open}https://evil.test/${MARKS.close}`,
  MARKS.open,
  MARKS.close,
  "{{url}}",
  "\ufdd0\ufdd1",
  "&amp;",
  " \t\n",
];

const mailOf = (text: string, isOn: boolean): Data => ({
  url: text,
  name: text,
  on: isOn,
  off: !isOn,
  items: isOn ? [text, "https://b.test/", { url: text }] : [],
  map: { "a b": text },
});
const MAILS = HOSTILE.flatMap((text) => [mailOf(text, true), mailOf(text, false)]);

describe("a template whose links are known from its source", () => {
  it.each([
    '<a href="{{url}}">{{name}}</a>',
    "<a href='{{url}}'>x</a><AREA HREF='{{url}}'>",
    '<a href="https://a.test/{{url}}?n={{name}}&amp;m={{name}}">x</a>',
    '<a title="{{name}}" href="{{url}}" class=\'c {{name}}\' id=plain/x>x</a>',
    "<a href=https://a.test/?a=b>{{name}}</a>",
    '<a href=" {{~url~}} ">x</a>',
    '<a href="{{#if on}}https://on.test/{{else}}{{url}}{{/if}}">x</a>',
    '<a href="\n{{#if on}}\nhttps://on.test/\n{{/if}}\n">x</a>',
    '{{#if on}}<a href="https://on.test/">{{/if}}x{{#unless on}}<a href="{{url}}">{{/unless}}',
    '{{#each items}}<p><a href="{{this}}">{{@index}}</a> <a href="{{url}}">x</a></p>{{/each}}',
    '{{^items}}<a href="https://none.test/">x</a>{{else}}<a href="{{url}}">x</a>{{/items}}',
    '<p>\n  {{~#if on~}}\n <a href="{{url}}">x</a>\n {{~else if off~}} y {{~/if~}}\n</p>',
    '{{!-- <a href="https://c.test/"> {{url}} --}}<a href="{{url}}">x</a>{{! <!-- }}<a href="{{url}}">',
    '{{!--}}<a href="{{url}}">x</a>{{~!-- --~}}',
    "<a href=\"{{lookup map \"a b\"}}\">x</a><a href='{{lookup map 'a b'}}'>y</a>",
    '{{lookup map "a <b"}} {{lookup map \'"\'}} <a href="{{url}}" title="{{lookup map "a"}}">x</a>',
    '<a href="{{map.[a b]}}">x</a>{{#with map}}<a href="{{../url}}">y</a>{{/with}}',
    '<a data-no-track href="{{url}}">x</a><a name="{{name}}">y</a><a href="{{url}}">z</a>',
    '<a href="{{url}}" href="{{name}}">x</a><a href="mailto:{{url}}">m</a><a href="#{{url}}">f</a>',
    '<!-- {{name}} <a href="{{url}}"> --><!--[if mso]>{{#if on}}<a href="{{url}}">{{/if}}<![endif]-->',
    '<!--[if !mso]><!--><a href="{{url}}">x</a><!--<![endif]-->',
    '<title>{{name}} {{#if on}}x{{/if}}</title><style>a:hover > b{color:{{name}} }</style><a href="{{url}}">x</a>',
    '\ufeff<a href="{{url}}">&quot;&eacute; 💌</a>',
    '<a href="https://a.test/?x&unknownname;y={{url}}">x</a>',
    '<svg><a href="{{url}}"><text>{{#if on}}{{name}}{{/if}}</text></a></svg><title>{{name}}</title>',
    '<a href="{{url}}">x</a><noscript><img src="https://a.test/o.gif?x=1" width=1></noscript>',
    '<img src="{{url}}" alt="{{name}}"><a\n\thref\n=\n"{{url}}"\n>x</a>',
    "1 < 2 <a href='https://a.test/'>no variables</a>",
    '<script>"<a href=\'https://a.test/\'>"</script><a href="{{url}}">x</a>',
    '<td style="{{#if on}}color:red{{/if}}"><a href="{{url}}">x</a></td>',
  ])("%s yields the same result as parsing its mails one by one", async (template) => {
    const expected = await Promise.all(MAILS.map((data) => parsed(template, data)));
    expect(await filled(template, MAILS)).toEqual(expected);
  });

  it("is distinguished from one whose data or blocks may change how it is parsed", async () => {
    const templates = [
      '{{{name}}}<a href="{{url}}">x</a>',
      '{{& name}}<a href="{{url}}">x</a>',
      "{{~{name}~}}",
      '{{#*inline "p"}}<a href="{{url}}">x</a>{{/inline}}{{> p}}',
      '{{~> p}}{{#*inline "p"}}x{{/inline}}',
      '{{#> p}}<a href="{{url}}">x</a>{{/p}}',
      "<a href={{url}}>x</a>",
      "<a href=https://a.test/{{url}}>x</a>",
      '<a {{name}} href="{{url}}">x</a>',
      '<a {{#if on}}data-no-track{{/if}} href="https://a.test/">x</a>',
      '<a {{#if on}}href="https://a.test/"{{else}}href="{{url}}"{{/if}}>x</a>',
      '<a href="{{#if on}}https://a.test/">x</a>{{else}}https://b.test/">y</a>{{/if}}',
      '<a href="{{#if on}}a" title="{{/if}}b">x</a>',
      "<a href='{{#if on}}'>x{{/if}}'>y</a>",
      "<a title=x'y {{name}} id='z' href=\"https://a.test/\">x</a>",
      '<a title= x="{{name}}" href="https://a.test/">x</a>',
      '<a title=/x="{{name}}" href="https://a.test/">x</a>',
      '<{{name}} href="https://a.test/">x</a>',
      '<{{! }}a href="https://a.test/">x</a>',
      '{{#if on}}<{{/if}}a href="https://a.test/">x</a>',
      '< {{~name}} href="https://a.test/">x</a>',
      '< {{~! c ~}} a href="https://a.test/">x</a>',
      '<a{{name}} href="https://a.test/">x</a>',
      '</{{name}}><a href="https://a.test/">x</a>',
      '</a {{name}}><a href="https://a.test/">x</a>',
      '{{#if on}}<!--{{/if}}<a href="https://a.test/">x</a>{{#if on}}-->{{/if}}',
      '<!-- {{#if on}}--><a href="https://a.test/">x</a><!--{{/if}} -->',
      '<!--{{name}}><a href="https://a.test/">x</a>-->',
      '<!-- {{name}}->x<a href="https://a.test/">x</a>-->',
      '<!-- --{{name}}!><a href="https://a.test/">x</a>-->',
      '<!-- -{{~name~}} -><a href="https://a.test/">x</a>-->',
      '<!{{name}} <a href="https://a.test/">x</a>-->',
      '<!-{{#if on}}-{{/if}}><a href="https://a.test/">x</a>-->',
      '<!-- x --!><a href="{{url}}">x</a>-->',
      '{{#if on}}<style>{{/if}}<a href="https://a.test/">x</a>{{#if on}}</style>{{/if}}',
      '<style></{{name}}><a href="https://a.test/">x</a></style>',
      '<style></sty{{name}}><a href="https://a.test/">x</a></style>',
      '<script><!--{{name}}<script></script><a href="https://a.test/">x</a>',
      '{{#if on}}<svg>{{/if}}<style><a href="https://a.test/">x</a></style>',
      '{{#if on}}<svg>{{/if}}<a href="https://a.test/">x</a></svg>',
      '<svg><style><a href="{{url}}">x</a></style></svg>',
      '<svg><![CDATA[ {{name}} > <a href="https://a.test/">x</a> ]]></svg>',
      '<svg><svg></svg><title>{{#if on}}</svg>{{/if}}<a href="https://a.test/">x</a></title></svg>',
      '{{#if on}}<plaintext>{{/if}}<a href="https://a.test/">x</a>',
      '{{#if on}}<noscript>{{/if}}<a href="https://a.test/">x</a></noscript>',
      '<noscript><!-- </noscript><a href="{{url}}"> --></noscript>',
      '<noscript><p title="</noscript>{{name}}"></noscript><a href="{{url}}">',
      '<noscript><p>{{name}}</noscript><a href="{{url}}">',
      '<noscript><a href="https://a.test/"></noscript>',
      '\\{{name}}<a href="{{url}}">x</a>',
      '{{lookup map "}}<a>"}}<a href="{{url}}">x</a>',
      '{{lookup map "a\\"}} b"}}<a href="{{url}}">x</a>',
      '{{map.[}}<a>]}}<a href="{{url}}">x</a>',
      '\ufdd0<a href="{{url}}">x</a>',
      '<p title="{{name}}',
    ];
    const answers = await Promise.all(
      templates.map(async (template) => [template, (await markLinks(template, MARKS)).kind]),
    );
    expect(answers).toEqual(templates.map((template) => [template, "unknowable"]));
  });

  it("is not marked where its links can never be tracked", async () => {
    const html =
      '<a href="/x">x</a><a href="mailto:a@b.test">y</a><a data-no-track href="{{url}}">';
    expect(await markLinks(html, MARKS)).toEqual({ kind: "marked", html });
  });

  it("keeps a URL over 8,000 bytes, in the source and in the rendered mail", async () => {
    const long = `https://a.test/${"x".repeat(8_000)}`;
    const source = `<a href="${long}">a</a>`;
    expect(await markLinks(source, MARKS)).toEqual({ kind: "marked", html: source });
    const marked = await markLinks('<a href="{{url}}">u</a>', MARKS);
    if (marked.kind === "unknowable") throw new Error("the links were not marked");
    const rendered = render(marked.html, { url: long });
    expect(await fillLinks(rendered, MARKS, () => "T")).toBe(`<a href="${long}">u</a>`);
  });

  it("keeps links that the caller skips, whatever their URLs contain", async () => {
    const template = '<a href="{{url}}">u</a><a href="https://b.test/">b</a>';
    const url = 'https://a.test/?x=1&y="2"';
    const marked = await markLinks(template, MARKS);
    if (marked.kind === "unknowable") throw new Error("the links were not marked");
    const html = await fillLinks(render(marked.html, { url }), MARKS, () => "T", {
      skip: (found) => found === url,
    });
    expect(html).toBe(
      '<a href="https://a.test/?x&#x3D;1&amp;y&#x3D;&quot;2&quot;">u</a><a href="T">b</a>',
    );
  });

  it("that every parser rejects is a bad request", async () => {
    const nested = markLinks("<div>".repeat(200_000), MARKS);
    await expect(nested).rejects.toMatchObject({ code: "html_not_parsable" });
  });
});

/**
 * Newsletter with variables in every second link and in its texts, and blocks around its tables.
 */
function asTemplate(html: string): string {
  let links = 0;
  return html
    .replace(/href="(https?:[^"]*)"/gi, (whole, url: string) =>
      links++ % 2 === 0 ? `href="${url}{{#if on}}#{{name}}{{/if}}"` : whole,
    )
    .replace(/<p([^>]*)>/gi, "<p$1>{{~#if on}} {{name}}, {{/if~}}")
    .replace(/<\/body>(?!")/i, '{{#each items}}<a href="{{this}}">{{@key}}</a>{{/each}}</body>');
}

describe("a newsletter", () => {
  it.each(Object.entries(NEWSLETTERS))("%s has known links", async (_, html) => {
    const template = asTemplate(html);
    expect(template).not.toBe(html);
    const expected = await Promise.all(MAILS.map((data) => parsed(template, data)));
    expect(expected[2]?.links.length).toBeGreaterThan(2);
    expect(await filled(template, MAILS)).toEqual(expected);
  });
});

describe("any template", () => {
  const PIECES = [
    ...'{{url}}|{{~name~}}|{{#if on}}|{{else}}|{{/if}}|{{#each items}}|{{/each}}|{{! <a> }}|{{!-- " --}}'.split(
      "|",
    ),
    ...'{{lookup map "a b"}}|{{{name}}}|{{&name}}|\\{{url}}|{{this}}'.split("|"),
    ...'<a href="|">|</a>|<a href=\'|\'>|<a |href=|href="https://a.test/|"|\'|>|<area href="'.split(
      "|",
    ),
    ...'<a href="{{url}}">x</a>|<a title="{{name}}" href="https://b.test/">|<td width={{url}}>'.split(
      "|",
    ),
    ..."<noscript>|</noscript>|<!--|-->|--!>|<!-|-|--|!|<!|<|</|/|=|a|<style>|</style>|<title>|</title>|<script>|</script>".split(
      "|",
    ),
    ...'<svg>|</svg>|<textarea>|</textarea>|data-no-track|title="{{name}}"| |\n|&amp;|https://c.test/'.split(
      "|",
    ),
  ];
  const RUNS = 1_000;
  let known = 0;
  let links = 0;
  afterAll(() => console.log(`${known} of ${RUNS} random templates known, ${links} links in them`));

  const piece = fc.constantFrom(...PIECES);
  /** Whole blocks and links among loose pieces, so that many templates compile and have links. */
  const { template: anyTemplate } = fc.letrec<{ template: string; part: string }>((tie) => ({
    template: fc.array(tie("part"), { maxLength: 9 }).map((all) => all.join("")),
    part: fc.oneof(
      { depthSize: "small" },
      { weight: 6, arbitrary: piece },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie("template"), tie("template"))
          .map(([a, b]) => `{{#if on}}${a}{{else}}${b}{{/if}}`),
      },
      { weight: 1, arbitrary: tie("template").map((inner) => `{{#each items}}${inner}{{/each}}`) },
      { weight: 1, arbitrary: tie("template").map((inner) => `<a href="${inner}">x</a>`) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '<a href="https://d.test/">x</a>',
          "<a href='{{url}}'>x</a>",
          '<a title="{{name}}" href="https://e.test/{{url}}">x</a>',
        ),
      },
      { weight: 1, arbitrary: tie("template").map((inner) => `<!-- ${inner} -->`) },
    ),
  }));

  it(
    "either yields the same mails both ways, or is recognized as different",
    { timeout: 60_000 },
    async () => {
      const mail = fc
        .tuple(fc.constantFrom(...HOSTILE), fc.boolean())
        .map(([text, isOn]) => mailOf(text, isOn));
      await fc.assert(
        fc.asyncProperty(
          anyTemplate,
          fc.array(mail, { minLength: 1, maxLength: 3 }),
          async (template, mails) => {
            if (!compiles(template)) return;
            const expected = await Promise.all(mails.map((data) => parsed(template, data)));
            const actual = await filled(template, mails);
            if (actual === undefined) return;
            known++;
            links += expected[0]?.links.length ?? 0;
            expect(actual).toEqual(expected);
          },
        ),
        { seed: 20, numRuns: RUNS },
      );
      expect(links).toBeGreaterThan(RUNS / 20);
    },
  );
});

function compiles(template: string): boolean {
  try {
    compileTemplate(template, { escape: true });
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return false;
  }
}
