import type {
  BlockStatement,
  Expression,
  Program,
} from "handlebars/dist/cjs/handlebars/compiler/parser.js";
import { describe, expect, it } from "vitest";
import { decodeEntities } from "../../src/mail/html/entities.ts";
import { rewriteLinks } from "../support/rewrite-links.ts";
import { htmlToText, readHtml } from "../../src/mail/html/to-text.ts";
import * as tokenizer from "../../src/mail/html/tokenize.ts";
import { SYSTEM_TEMPLATES, type SystemTemplate } from "../../src/mail/system-templates/index.ts";
import { compileTemplate, renderTemplate } from "../../src/mail/template/index.ts";
import { parseTemplate } from "../../src/mail/template/parse-template.ts";
import { subscriberData } from "../../src/services/mailing/variables.ts";
import { namesUnsubscribe } from "../../src/services/templates/index.ts";

type Data = Record<string, unknown>;

const MAX_TEMPLATE_BYTES = 15_000;
/** WCAG 2.2, success criteria 1.4.3 (text of any size) and 1.4.11 (edges of controls). */
const TEXT_CONTRAST = 4.5;
const CONTROL_CONTRAST = 3;
const UNSUBSCRIBE = "https://mail.example/unsubscribe/p/s?a=1&b=2";

const SHARED = {
  name: "Ada",
  product_name: "Harbor & Sons",
  support_email: "help@harbor.example",
  company_address: "12 Quay Street, Hamburg",
  logo_url: "https://harbor.example/logo.png",
  unsubscribe_link: UNSUBSCRIBE,
};
const EXAMPLES: Record<string, Data> = {
  verification: {
    ...SHARED,
    verification_url: "https://harbor.example/verify?token=a1&next=%2Fhome",
    code: "482913",
    expires_in: "30 minutes",
  },
  welcome: {
    ...SHARED,
    email: "ada@example.org",
    action_url: "https://harbor.example/start",
    action_label: "Open Harbor",
  },
  purchase_confirmation: {
    ...SHARED,
    order_number: "HB-20417",
    order_date: "20 November 2026",
    items: [
      { name: "Mug", quantity: 2, price: "28.00" },
      { name: "Gift wrapping", price: 0 },
    ],
    total: "28.00",
    currency: "EUR",
    receipt_url: "https://harbor.example/receipts/1?p=1&q=2",
  },
  credentials: {
    ...SHARED,
    username: "ada",
    password: "vX7-kp2-Qm9",
    login_url: "https://harbor.example/login",
  },
};
const SUBSCRIBER = { id: "0f8e", email: "ada@example.org", name: "", metadata: { source: "web" } };
const AUTOMATIC = subscriberData(SUBSCRIBER, {}, UNSUBSCRIBE);

const TEMPLATES = [...SYSTEM_TEMPLATES.values()];
const example = ({ name }: SystemTemplate) => EXAMPLES[name] ?? {};

function template(name: string): SystemTemplate {
  const found = SYSTEM_TEMPLATES.get(name);
  if (!found) throw new Error(`no template ${name}`);
  return found;
}

function render({ subject, htmlBody, textBody }: SystemTemplate, data: Data) {
  const part = (source: string, escape: boolean) =>
    renderTemplate(compileTemplate(source, { escape }), data);
  return { subject: part(subject, false), html: part(htmlBody, true), text: part(textBody, false) };
}

/** Visible text of an HTML part, on one line. */
const shown = (html: string) => htmlToText(html).replace(/\s+/g, " ");

/** A token with its attributes by name. */
type HtmlToken = Omit<tokenizer.HtmlToken, "attributes"> & { attributes: Map<string, string> };

function tokens(html: string): HtmlToken[] {
  return [...tokenizer.tokenizeHtml(html)].map((token) => {
    const spans = token.attributes;
    const names = spans.flatMap((start, at) =>
      at % 4 === 0 ? [html.slice(start, spans[at + 1]).toLowerCase()] : [],
    );
    const valueOf = (name: string) => tokenizer.attributeOf(html, token, name) ?? "";
    return { ...token, attributes: new Map(names.map((name) => [name, valueOf(name)])) };
  });
}
const startTags = (html: string) => tokens(html).filter(({ kind }) => kind === "startTag");

/** Shape of a document: elements and attributes, without the lengths of its texts. */
const shapeOf = (html: string) =>
  tokens(html).map(({ kind, name, attributes }) => [kind, name, [...attributes.keys()].join(" ")]);

function hrefs(html: string): string[] {
  return startTags(html)
    .map(({ attributes }) => attributes.get("href"))
    .filter((href) => href !== undefined)
    .map((href) => decodeEntities(href, "attribute"));
}

const VOID_ELEMENTS = new Set(["br", "img", "meta"]);

/** Calls `visit` with each token and its open elements; throws on unmatched tags. */
function walk(html: string, visit: (token: HtmlToken, open: readonly HtmlToken[]) => void): void {
  const open: HtmlToken[] = [];
  for (const token of tokens(html)) {
    if (!token.closed) throw new Error(`unclosed ${token.name}`);
    if (token.kind === "endTag") {
      const last = open.pop();
      if (last?.name !== token.name) throw new Error(`</${token.name}> ends <${last?.name}>`);
    }
    visit(token, open);
    if (token.kind === "startTag" && !VOID_ELEMENTS.has(token.name)) open.push(token);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name}> is never closed`);
}

describe("the system templates", () => {
  it("are the four of the reference, and a name from Object.prototype is not one", () => {
    expect([...SYSTEM_TEMPLATES.keys()].sort()).toEqual([
      "credentials",
      "purchase_confirmation",
      "verification",
      "welcome",
    ]);
    for (const [name, { name: own }] of SYSTEM_TEMPLATES) expect(own).toBe(name);
    expect(SYSTEM_TEMPLATES.get("constructor")).toBeUndefined();
  });

  describe.each(TEMPLATES)("$name", (system) => {
    const full = render(system, example(system));
    const renderings = {
      "its full example": full,
      "the automatic variables alone": render(system, AUTOMATIC),
      "no data at all": render(system, {}),
    };

    it.each(Object.entries(renderings))("renders with %s", (_, { subject, html, text }) => {
      expect(subject).toMatch(/^\S.*[^\s,]$/);
      walk(html, () => {});
      for (const part of [subject, shown(html), text]) {
        expect(part).not.toMatch(/\{\{|\}\}|undefined|null|\[object|NaN/);
        expect(part).not.toMatch(/ [.,]|, *\.|\( *\)|  \w/);
      }
      expect(html).toContain("</h1>");
      expect(text).not.toMatch(/\n{3}|[ \t]\n|^\s/);
      expect(html).not.toMatch(/(?:href|src)="(?:mailto:)?"/);
    });

    it("shows every value of its example in both parts", () => {
      const { logo_url: logo, unsubscribe_link: unsubscribe, ...values } = example(system);
      const links = Object.entries(values).filter(([name]) => name.endsWith("_url"));
      expect(links).toHaveLength(1);
      const texts = Object.entries(values).flatMap(([name, value]) => {
        if (name.endsWith("_url")) return [];
        return Array.isArray(value) ? value.flatMap((item: Data) => Object.values(item)) : [value];
      });
      for (const text of texts) {
        expect(shown(full.html)).toContain(String(text));
        // The logo replaces the name in the header, so only the text part must contain it.
        expect(full.text).toContain(String(text));
      }
      expect(full.html).toContain(`src="${String(logo)}"`);
      expect(hrefs(full.html)).toContain(unsubscribe);
    });

    it("has every link of the HTML in its text, and no HTML there", () => {
      const links = hrefs(full.html);
      expect(links.length).toBeGreaterThanOrEqual(3);
      for (const link of links) expect(full.text).toContain(link.replace("mailto:", ""));
      expect(full.text).not.toMatch(/[<>]|&(?:amp|nbsp|quot|#)/);
    });

    it("reads the documented variables and no others", () => {
      const used = [system.subject, system.htmlBody, system.textBody].flatMap(variablesOf);
      expect([...new Set(used)].sort()).toEqual(system.variables.map(({ name }) => name).sort());
      for (const { description } of system.variables) expect(description).toMatch(/\S{2}/);
    });

    it("never turns hostile data into markup, anywhere", () => {
      const harmless = render(system, everyVariable(system, "harmless"));
      for (const payload of HOSTILE) {
        const { html } = render(system, everyVariable(system, payload));
        expect(shapeOf(html)).toEqual(shapeOf(harmless.html));
        expect(shown(html)).toContain(payload.replace(/\s+/g, " ").trim());
      }
    });

    it("has variables only in text, href, src and alt", () => {
      expect(system.htmlBody).not.toMatch(/\{\{~?[{&>]/);
      const [masked, mask] = [system.htmlBody.replaceAll(/\{\{[^}]*\}\}/g, "\ufdd0"), /\ufdd0/];
      for (const token of tokens(masked)) {
        const { kind, name, attributes, start, end } = token;
        if (kind === "comment" || name === "style" || name === "script")
          expect(masked.slice(start, end)).not.toMatch(mask);
        for (const [attribute, value] of attributes)
          if (mask.test(value)) expect(["href", "src", "alt"]).toContain(attribute);
      }
    });

    it("has its links tracked, except those whose text is their URL", async () => {
      const tracked: string[] = [];
      const rewritten = await rewriteLinks(full.html, (url) => {
        if (url === UNSUBSCRIBE) return undefined;
        tracked.push(url);
        return `https://mail.example/c/${tracked.length}`;
      });
      const [link] = Object.entries(example(system)).filter(([name]) =>
        /^(?!logo).*_url$/.test(name),
      );
      expect(tracked).toEqual([link?.[1]]);
      expect(hrefs(rewritten)).toContain("https://mail.example/c/1");
      expect(hrefs(rewritten)).toContain(UNSUBSCRIBE);
      const untracked = startTags(full.html).filter(({ attributes }) =>
        attributes.has("data-no-track"),
      );
      for (const { attributes } of untracked) {
        const href = attributes.get("href") ?? "";
        expect(full.html).toContain(`>${href}</a>`);
      }
    });

    it("gets the pixel inside its body", () => {
      const at = readHtml(full.html).bodyEnd;
      const pixel = '<img src="https://mail.example/t/1.gif" alt="">';
      const withPixel = full.html.slice(0, at) + pixel + full.html.slice(at);
      let parents: string[] = [];
      walk(withPixel, ({ attributes }, open) => {
        if (attributes.get("src")?.endsWith("/t/1.gif")) parents = open.map(({ name }) => name);
      });
      expect(parents).toEqual(["html", "body"]);
    });

    it("shows the unsubscribe link under either name, and reports it to the sending code", () => {
      expect(namesUnsubscribe(system.htmlBody)).toBe(true);
      expect(system.htmlBody).toContain("{{unsubscribe_link}}");
      for (const name of ["unsubscribe_link", "unsubscribe_url"]) {
        const { html, text } = render(system, { [name]: UNSUBSCRIBE });
        expect(hrefs(html)).toEqual([UNSUBSCRIBE]);
        expect(text).toContain(`Unsubscribe: ${UNSUBSCRIBE}`);
      }
      const { html, text } = render(system, {});
      expect(html + text).not.toMatch(/unsubscribe/i);
    });

    it("treats x_link like x_url", () => {
      const renamed = Object.fromEntries(
        Object.entries(example(system)).map(([name, value]) => [
          name.replace(/^(?!logo)(.*)_url$/, "$1_link"),
          value,
        ]),
      );
      expect(renamed).not.toEqual(example(system));
      expect(render(system, renamed)).toEqual(full);
    });

    it("is a small, complete document for mail clients", () => {
      const { htmlBody } = system;
      expect(new TextEncoder().encode(htmlBody).length).toBeLessThan(MAX_TEMPLATE_BYTES);
      expect(full.html).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
      expect(htmlBody).toContain('<meta name="color-scheme" content="light dark">');
      expect(htmlBody).toContain('<meta name="supported-color-schemes" content="light dark">');
      expect(htmlBody).toContain('<meta name="viewport" content="width=device-width');
      expect(htmlBody).toContain("@media (prefers-color-scheme:dark)");
      expect(htmlBody).toContain("max-width:600px");
      expect(htmlBody).not.toMatch(/<(?:script|link|iframe|form|svg|base)\b|@import|url\(/i);
      expect(htmlBody).not.toMatch(/\s(?:src|href)="(?!\{\{|mailto:\{\{)/);
      expect(full.html).toMatch(/<title>[^<]+<\/title>/);
      for (const { name, attributes } of startTags(full.html)) {
        if (name === "img") expect(attributes.get("alt")).toBeTypeOf("string");
      }
      walk(full.html, ({ name, kind }, open) => {
        if (kind !== "startTag" || (name !== "td" && name !== "th")) return;
        const table = open.findLast((element) => element.name === "table");
        const isData = full.html.slice(table?.start ?? 0).match(/^<table[^>]*>(?:<tr>)?<th/);
        expect(table?.attributes.get("role")).toBe(isData ? undefined : "presentation");
      });
    });

    it.each(["light", "dark"] as const)("is legible in the %s scheme", (scheme) => {
      const pairs = colourPairs(full.html, scheme);
      expect(pairs.text.length).toBeGreaterThan(8);
      for (const { text, color, background } of pairs.text) {
        const readable = contrast(color, background);
        expect(readable, `${text}: ${color} on ${background}`).toBeGreaterThan(TEXT_CONTRAST);
      }
      expect(pairs.buttons.length).toBe(1);
      for (const { color, background } of pairs.buttons)
        expect(contrast(color, background)).toBeGreaterThan(CONTROL_CONTRAST);
    });
  });
});

describe("the content of a template", () => {
  it("welcomes with only the automatic variables, including the unsubscribe link", () => {
    const { subject, html, text } = render(template("welcome"), AUTOMATIC);
    expect(subject).toBe("Welcome");
    expect(shown(html)).toContain("Hello, Thank you for signing up.");
    expect(shown(html)).toContain("because ada@example.org was signed up.");
    expect(hrefs(html)).toEqual([UNSUBSCRIBE]);
    expect(text).toContain(`Unsubscribe: ${UNSUBSCRIBE}`);
  });

  it("contains no metadata, which anyone with a public key can write", () => {
    const metadata = { product_name: "Evil", action_url: "https://evil.example", name: "Evil" };
    const data = subscriberData({ ...SUBSCRIBER, metadata }, {}, UNSUBSCRIBE);
    for (const system of TEMPLATES) expect(render(system, data)).toEqual(render(system, AUTOMATIC));
  });

  it("verifies by link, by code or by both", () => {
    const link = "https://harbor.example/v";
    const verification = template("verification");
    const byLink = render(verification, { verification_url: link });
    expect(hrefs(byLink.html)).toEqual([link, link]);
    expect(byLink.html + byLink.text).not.toContain("code is");
    const byCode = render(verification, { code: "004219" });
    expect(hrefs(byCode.html)).toEqual([]);
    expect(shown(byCode.html)).toContain("Your confirmation code is: 004219");
    expect(byCode.text).toContain("Your confirmation code is: 004219");
  });

  it("has the sender in the subject, unescaped", () => {
    const subjects = TEMPLATES.map((system) => render(system, example(system)).subject);
    expect(subjects).toEqual([
      "Confirm your email address for Harbor & Sons",
      "Welcome to Harbor & Sons",
      "Your order HB-20417 at Harbor & Sons",
      "Your account at Harbor & Sons",
    ]);
    const byCompany = render(template("welcome"), { company_name: "Harbor" });
    expect(byCompany.subject).toBe("Welcome to Harbor");
  });

  it("lists the purchases with their prices, zero included", () => {
    const { html, text } = render(template("purchase_confirmation"), {
      ...EXAMPLES["purchase_confirmation"],
      total: 0,
    });
    expect(shown(html)).toContain("Mug × 2 | 28.00 EUR Gift wrapping | 0 EUR Total | 0 EUR");
    expect(text).toContain("\n\n- Mug × 2: 28.00 EUR\n- Gift wrapping: 0 EUR\n\nTotal: 0 EUR\n\n");
    const formatted = { items: [{ name: "Mug", price: "$28.00" }], total: "$28.00" };
    const plain = render(template("purchase_confirmation"), formatted).text;
    expect(plain).toContain("- Mug: $28.00\n\nTotal: $28.00\n");
  });

  it("keeps a password out of the subject and the preview text", () => {
    const { subject, html } = render(template("credentials"), EXAMPLES["credentials"] ?? {});
    const preheader = /<body[^>]*>\s*<div style="display:none[^>]*>([^<]*)<\/div>/.exec(html)?.[1];
    expect(preheader).toContain("An account at Harbor &amp; Sons has been created for you.");
    expect(subject + preheader).not.toContain("vX7-kp2-Qm9");
    expect(html.split("vX7-kp2-Qm9")).toHaveLength(2);
  });

  it("accepts an email as the username and a temporary password as the password", () => {
    const credentials = template("credentials");
    const { text } = render(credentials, { email: "a@b.example", temporary_password: "pw-1" });
    expect(text).toContain("Username: a@b.example\nPassword: pw-1\n");
  });
});

const HOSTILE = [
  "<script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)' x='`,
  "</title></style><style>*{display:none}</style><!--",
  "--><h1>{{unsubscribe_link}}</h1>",
  "`${1}` &lt;b&gt; {{#each items}}",
];

/** Sets every documented variable to `value`; the first names of links, so that both show. */
function everyVariable({ variables }: SystemTemplate, value: string): Data {
  const data: Data = {};
  const item: Data = {};
  for (const { name } of variables) {
    if (name.startsWith("items[].")) item[name.slice("items[].".length)] = value;
    else if (name !== "items") data[name] = value;
  }
  return { ...data, items: [item, item] };
}

/** Variables that a part reads; those in a loop under the name of its list. */
function variablesOf(source: string): string[] {
  const found: string[] = [];
  const read = (expression: Expression, list: string) => {
    if (expression.type === "SubExpression") throw new Error("subexpressions are not followed");
    if (expression.type !== "PathExpression") return;
    const prefix = expression.depth === 0 && list !== "" ? `${list}[].` : "";
    found.push(prefix + expression.parts.join("."));
  };
  const readBlock = ({ path, params, program, inverse }: BlockStatement, list: string) => {
    for (const parameter of params) read(parameter, list);
    const isLoop = path.original === "each";
    const [over] = params;
    const inner = isLoop && over?.type === "PathExpression" ? over.original : list;
    readProgram(program, inner);
    readProgram(inverse, list);
  };
  const readProgram = (program: Program | undefined, list: string) => {
    for (const statement of program?.body ?? []) {
      if (statement.type === "MustacheStatement") read(statement.path, list);
      else if (statement.type === "BlockStatement") readBlock(statement, list);
      else if (!["ContentStatement", "CommentStatement"].includes(statement.type))
        throw new Error(statement.type);
    }
  };
  readProgram(parseTemplate(source, {}), "");
  return found;
}

interface Colours {
  color: string;
  background: string;
}

/** Colours of every visible text and button, each with its background. */
function colourPairs(html: string, scheme: "light" | "dark") {
  const text: (Colours & { text: string })[] = [];
  const buttons: Colours[] = [];
  const darkStyles = /prefers-color-scheme:dark\)\{(.*)\}/.exec(html)?.[1] ?? "";
  const coloursOf = (element: HtmlToken, around: Colours): Colours => {
    const style = element.attributes.get("style") ?? "";
    const name = element.attributes.get("class") ?? "";
    const dark = new RegExp(`\\.${name}\\{([^}]*)\\}`).exec(darkStyles)?.[1] ?? "";
    const read = (property: string) => {
      const declared = new RegExp(`(?:^|;)${property}:(#[0-9a-f]{6})`);
      const own = declared.exec(style)?.[1];
      return scheme === "dark" ? (declared.exec(dark)?.[1] ?? own) : own;
    };
    return {
      color: read("color") ?? around.color,
      background: read("background-color") ?? around.background,
    };
  };
  const start = { color: "#000000", background: "#ffffff" };
  const within = (open: readonly HtmlToken[]) =>
    open.reduce((around, element) => coloursOf(element, around), start);
  walk(html, (token, open) => {
    const isHidden = open.some(({ attributes }) =>
      /display:none/.test(attributes.get("style") ?? ""),
    );
    if (token.attributes.get("class") === "button" && token.kind === "startTag")
      buttons.push({
        color: coloursOf(token, within(open)).background,
        background: within(open).background,
      });
    const content = html.slice(token.start, token.end).trim();
    if (token.kind !== "text" || isHidden || content === "" || !open.some((e) => e.name === "body"))
      return;
    text.push({ text: content, ...within(open) });
  });
  return { text, buttons };
}

/** Contrast of two colours (WCAG 2.2, "contrast ratio"). */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
