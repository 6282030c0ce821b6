import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../../src/errors.ts";
import {
  compileTemplate,
  createTemplateCache,
  findVariables,
  renderTemplate,
  TemplateRenderError,
  TemplateSyntaxError,
} from "../../../src/mail/template/index.ts";
import type { RenderLimits } from "../../../src/mail/template/index.ts";

type Data = Record<string, unknown>;

function html(source: string, data: Data = {}, limits?: Partial<RenderLimits>): string {
  return renderTemplate(compileTemplate(source, { escape: true }), data, limits);
}

function text(source: string, data: Data = {}): string {
  return renderTemplate(compileTemplate(source, { escape: false }), data);
}

/** Message of the refusal in which `act` ends. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError && error.status === 400) return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

const syntaxError = (source: string) => refusal(() => compileTemplate(source, { escape: true }));

/** Empty array nested in `levels` arrays. */
function nestedArray(levels: number): unknown[] {
  let value: unknown[] = [];
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe("escaping", () => {
  it("applies to HTML and not to text", () => {
    const data = { a: "<b> & 'c'", list: ["<"] };
    expect(html("{{a}} {{{a}}} {{list}}", data)).toBe(
      "&lt;b&gt; &amp; &#x27;c&#x27; <b> & 'c' &lt;",
    );
    expect(text("{{a}} {{{a}}} {{list}}", data)).toBe("<b> & 'c' <b> & 'c' <");
  });

  it("cannot be disabled by data", () => {
    const data: Data = JSON.parse('{"a":{"toHTML":"<b>","string":"<i>"},"b":["<u>"]}');
    expect(html("{{a}} {{b}} {{a.toHTML}}", data)).toBe("[object Object] &lt;u&gt; &lt;b&gt;");
  });

  it("applies to every way to print a variable", () => {
    const ways = [
      "{{a}}",
      "{{this.a}}",
      "{{@root.a}}",
      "{{lookup this 'a'}}",
      "{{#with a}}{{.}}{{/with}}",
      "{{#each list}}{{this}}{{/each}}",
      "{{#each list as |x|}}{{x}}{{/each}}",
      "{{#*inline 'p'}}{{a}}{{/inline}}{{> p}}",
      "{{#*inline 'p'}}{{b}}{{/inline}}{{> p b=a}}",
    ];
    for (const way of ways) expect(html(way, { a: "<", list: ["<"] })).toBe("&lt;");
  });
});

describe("data", () => {
  it("that is missing prints nothing", () => {
    expect(html("[{{a}}{{b.c}}{{#each d}}x{{/each}}{{#if e}}x{{/if}}{{lookup f 'g'}}]")).toBe("[]");
  });

  it("named like a built-in helper is accessible by path", () => {
    expect(html("{{this.if}} {{this.each}} {{this.log}}", { if: 1, each: 2, log: 3 })).toBe(
      "1 2 3",
    );
  });

  it("with hostile keys has no effect beyond its text", () => {
    const data: Data = JSON.parse(
      '{"__proto__":{"admin":"yes"},"constructor":{"prototype":{"x":"1"}},"list":[{"__proto__":"p"}]}',
    );
    const source =
      "[{{admin}}{{x}}]{{__proto__.admin}} {{constructor.prototype.x}} {{#each list}}{{__proto__}}{{/each}}";
    expect(html(source, data)).toBe("[]yes 1 p");
    expect(html("[{{admin}}]{{#*inline 'p'}}[{{admin}}{{x}}]{{/inline}}{{> p x=''}}", data)).toBe(
      "[][]",
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("that overrides toString is rejected without a crash", () => {
    expect(refusal(() => html("{{a}}", JSON.parse('{"a":{"toString":"x"}}')))).toContain(
      "value of the wrong type",
    );
  });
});

describe("a template", () => {
  afterEach(() => vi.restoreAllMocks());

  it("never writes to the console", () => {
    const methods = (["debug", "log", "info", "warn", "error"] as const).map((method) =>
      vi.spyOn(console, method).mockReturnValue(),
    );
    const source = "{{log 'x' level='error'}}{{log a level=3}}{{a.trim}}{{toString}}{{a.big}}";
    expect(html(source, { a: "y" })).toBe("");
    for (const method of methods) expect(method).not.toHaveBeenCalled();
  });
});

describe("a template that does not parse", () => {
  it.each([
    ["{{a", "line 1, column 3", "its tag is not closed"],
    ["{{a ", "line 1, column 5", "a tag is not closed"],
    ["a\n{{}}", "line 2, column 3", '"}}" is not allowed here'],
    ["a\n\n  {{{b}}", "line 3, column 7", '"}}" is not allowed here'],
    ["{{b}}}", "line 1, column 4", '"}}}" is not allowed here'],
    ["x\n{{#if a}}\n\n", "line 2, column 1", "this block is not closed"],
    ["{{#if a}}\r\n{{#each b}}\r\n{{/if}}", "line 2, column 4", "each doesn't match if"],
    ["x{{/if}}", "line 1, column 2", "without a block"],
    ["x{{else}}", "line 1, column 2", "without a block"],
    ["{{#if a}}1{{else}}2{{else}}3{{/if}}", "line 1, column 20", '"{{else}}" is not allowed here'],
    ["{{a (b}}", "line 1, column 7", '"}}" is not allowed here'],
    ["{{a b=}}", "line 1, column 7", '"}}" is not allowed here'],
    ["{{#each a as |x}}{{/each}}", "line 1, column 16", '"}}" is not allowed here'],
    ["\n{{!-- x", "line 2, column 1", "a comment or raw block is not closed"],
    ["\n{{a/../b}}", "line 2, column 3", "Invalid path"],
    ["{{> p a b}}", "line 1, column 1", "a partial takes at most one context"],
  ])("%j is rejected at %s", (source, place, reason) => {
    const message = syntaxError(source);
    expect(message).toContain(`template syntax error at ${place}: `);
    expect(message).toContain(reason);
    expect(message).not.toContain("\n");
  });

  it("is reported with its position", () => {
    try {
      compileTemplate("\n {{#if}}", { escape: false });
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateSyntaxError);
      expect(error).toMatchObject({
        code: "template_syntax_error",
        params: { place: { code: "at_column", params: { line: 2, column: 2 } } },
        position: { line: 2, column: 2 },
      });
      return;
    }
    throw new Error("nothing was refused");
  });

  it("does not affect the next one", () => {
    syntaxError("{{#if a}}{{{{x}}}}");
    expect(html("{{#if a}}{{a}}{{/if}}", { a: 1 })).toBe("1");
  });
});

describe("a tag that can never render is rejected at compilation:", () => {
  it.each([
    ["{{shout name}}", 'there is no helper "shout"'],
    ["{{#shout name}}x{{/shout}}", 'there is no helper "shout"'],
    ["{{a.b 1}}", 'there is no helper "a.b"'],
    ["{{this 1}}", 'there is no helper "this"'],
    ["{{#if (eq a b)}}x{{/if}}", 'there is no helper "eq"'],
    ["{{#each list as |x|}}{{lookup x (up y)}}{{/each}}", 'there is no helper "up"'],
    ["{{#if a}}x{{else}}{{shout name}}{{/if}}", 'there is no helper "shout"'],
    ["{{#*inline 'p'}}{{shout name}}{{/inline}}", 'there is no helper "shout"'],
    ["{{#> p}}{{shout name}}{{/p}}", 'there is no helper "shout"'],
    ["{{> (choose name)}}", 'there is no helper "choose"'],
    ["{{log x=(up y)}}", 'there is no helper "up"'],
    ["{{if a}}", '"if" needs one argument and a block'],
    ["{{#with (if a)}}x{{/with}}", '"if" needs one argument and a block'],
    ["{{each}}", '"each" needs one argument and a block'],
    ["{{#if}}x{{/if}}", '"if" needs one argument and a block'],
    ["{{#unless a b}}x{{/unless}}", '"unless" needs one argument and a block'],
    ["{{#if a}}x{{else each}}y{{/if}}", '"each" needs one argument and a block'],
    ["{{shout a=1}}", 'there is no helper "shout"'],
    ["{{log (f)}}", 'there is no helper "f"'],
    ["{{helperMissing}}", 'there is no helper "helperMissing"'],
    ["{{#blockHelperMissing a}}x{{/blockHelperMissing}}", "there is no helper"],
    ["{{> footer}}", 'the partial "footer" is not defined'],
    ["{{#*inline 'a'}}x{{/inline}}{{> b}}", 'the partial "b" is not defined'],
    ["{{*shout}}", '"shout" is not a decorator'],
    ["{{#*shout}}x{{/shout}}", '"shout" is not a decorator'],
  ])("%s", (source, reason) => {
    expect(syntaxError(`line one\n${source}`)).toMatch(
      /^template syntax error at line 2, column \d+: /,
    );
    expect(syntaxError(source)).toContain(reason);
  });

  it.each([
    ["a name without arguments", "{{shout}}", ""],
    ["a block parameter with arguments", "{{#each l as |x|}}{{x 1}}{{/each}}", "7"],
    ["a block parameter named like a helper", "{{#each l as |if|}}{{if}}{{/each}}", "7"],
    ["the block of a partial that is missing", "{{#> p}}x{{/p}}", "x"],
    ["a partial that is defined later", "{{> p}}{{#*inline 'p'}}x{{/inline}}", "x"],
    [
      "a partial that is defined under a name from data",
      "{{#*inline n}}x{{/inline}}{{#if z}}{{> q}}{{/if}}",
      "",
    ],
    ["a scoped name like a reserved one", "{{./helperMissing}}", ""],
  ])("but not %s", (_name, source, expected) => {
    expect(html(source, { l: [7] })).toBe(expected);
  });
});

describe("a template that is too large", () => {
  it.each([
    ["in characters", "x".repeat(512 * 1024 + 1)],
    ["in bytes", "é".repeat(256 * 1024 + 1)],
  ])("%s is rejected", (_name, source) => {
    expect(syntaxError(source)).toContain("longer than 512 KiB");
    expect(html(source.slice(0, 262_144))).toHaveLength(262_144);
  });

  it.each([
    ["blocks", (n: number) => "{{#if a}}".repeat(n) + "x" + "{{/if}}".repeat(n)],
    ["inverted blocks", (n: number) => "{{^b}}".repeat(n) + "x" + "{{/b}}".repeat(n)],
    ["partial blocks", (n: number) => "{{#> p}}".repeat(n) + "x" + "{{/p}}".repeat(n)],
    [
      "subexpressions",
      (n: number) => `{{#if ${"(lookup ".repeat(n - 1)}a${" 'b')".repeat(n - 1)}}}{{else}}x{{/if}}`,
    ],
  ])("by nesting %s 65 levels deep is rejected", (_name, nest) => {
    expect(html(nest(64), { a: 1 })).toBe("x");
    expect(syntaxError(nest(65))).toContain("nested more than 64 levels deep");
    expect(syntaxError(nest(5_000))).toContain("nested more than 64 levels deep");
  });

  it("by an endless else chain is rejected", () => {
    const chain = (n: number) => `{{#if a}}${"{{else if b}}".repeat(n)}{{else}}x{{/if}}`;
    expect(html(chain(63) + chain(63))).toBe("xx");
    expect(syntaxError(chain(64))).toContain("nested more than 64 levels deep");
  });

  it("by its tags is rejected", () => {
    expect(syntaxError("{{a}}".repeat(50_000))).toContain("too many tags");
  });

  it("by its block parameters compiles in linear time", () => {
    const names = Array.from({ length: 30_000 }, (_, n) => `x${n}`);
    const source = `{{#each a as |${names.join(" ")}|}}${"{{x29999}}".repeat(20_000)}{{/each}}`;
    expect(html(source)).toBe("");
    expect(findVariables(source)).toHaveLength(1);
  });

  it("by its comments compiles in linear time", () => {
    expect(html("{{!----}}".repeat(40_000))).toBe("");
    expect(html("a{{!-- b\n {{c}} --}}d\n{{!-- e --}}\n{{~!-- f --~}} g")).toBe("ad\ng");
  });

  it("by its blank lines compiles in linear time", () => {
    const blank = "\n".repeat(400_000);
    expect(html(`${blank}x{{~a}}{{#if a}}\n{{/if}}`)).toHaveLength(400_001);
  });
});

describe("the budget of a render", () => {
  const many = Array.from({ length: 400 }, () => 1);
  const large = Array.from({ length: 100_000 }, () => 1);
  const huge = Array.from({ length: 500_000 }, () => 0);
  const long = "1".repeat(1_000_000);
  const call = "{{#*inline 'p'}}{{/inline}}{{#each a}}{{> p ../b x=1}}{{/each}}";

  it.each<[name: string, source: string, data: Data]>([
    [
      "three nested loops",
      "{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}",
      { a: many },
    ],
    ["loops without contents", "{{#each a}}{{#each ../a}}{{/each}}{{/each}}", { a: large }],
    ["loops with an else alone", "{{#each a}}{{^each ../a}}x{{/each}}{{/each}}", { a: large }],
    [
      "loops over keys",
      "{{#each a}}{{#each ../b}}{{@key}}{{/each}}{{/each}}",
      { a: large, b: { x: 1, y: 2 } },
    ],
    ["plain blocks over arrays", "{{#a}}{{#../a}}x{{/../a}}{{/a}}", { a: large }],
    [
      "loops with with",
      "{{#each a}}{{#with ../b}}{{c}}{{/with}}{{/each}}",
      { a: large, b: { c: 1 } },
    ],
    [
      "long paths in a loop",
      `{{#each a}}{{../b${".b".repeat(500)}}}{{/each}}`,
      { a: many.concat(many) },
    ],
    ["many arguments in a loop", `{{#each a}}{{log ${"a ".repeat(600)}}}{{/each}}`, { a: many }],
    ["many pairs in a loop", `{{#each a}}{{log ${"a=b ".repeat(600)}}}{{/each}}`, { a: many }],
    [
      "printing arrays that print nothing",
      "{{#each a}}{{../b}}{{/each}}",
      { a: large, b: nestedArray(1_000) },
    ],
    [
      "looking up arrays as keys",
      "{{#each a}}{{lookup ../o ../b}}{{/each}}",
      { a: large, b: huge, o: {} },
    ],
    [
      "looking up long keys in arrays",
      "{{#each a}}{{lookup ../o ../b}}{{/each}}",
      { a: large, b: [long, long], o: {} },
    ],
    [
      "contexts next to large ones",
      "{{#with b}}{{#each ../a}}{{../x}}{{/each}}{{/with}}",
      { a: large.map(String), b: huge },
    ],
    [
      "contexts next to long texts",
      "{{#with b}}{{#each ../a}}{{../x}}{{/each}}{{/with}}",
      { a: large, b: long },
    ],
    ["merging pairs into arrays", call, { a: large, b: huge }],
    ["merging pairs into texts", call, { a: large, b: long }],
    [
      "merging pairs into objects",
      call,
      { a: large, b: Object.fromEntries(large.map((_, i) => [`k${i}`, 1])) },
    ],
    [
      "choosing partials by arrays",
      "{{#each a}}{{#> (lookup .. 'b')}}x{{/undefined}}{{/each}}",
      { a: large, b: huge },
    ],
    [
      "doubling blocks",
      `{{#*inline 'p'}}{{> @partial-block}}{{> @partial-block}}{{/inline}}${"{{#> p}}".repeat(40)}x${"{{/p}}".repeat(40)}`,
      {},
    ],
    [
      "inline partials in a loop",
      `${Array.from({ length: 4_000 }, (_, i) => `{{#*inline "p${i}"}}{{/inline}}`).join("")}{{#each a}}{{#*inline "x"}}{{/inline}}{{/each}}`,
      { a: large },
    ],
  ])("stops %s", (_name, source, data) => {
    const template = compileTemplate(source, { escape: true });
    expect(refusal(() => renderTemplate(template, data))).toBe(
      "template could not be rendered: it takes too many steps",
    );
  });

  it.each<[name: string, source: string, data: Data]>([
    ["a long text in a loop", "{{#each a}}{{../b}}{{/each}}", { a: many, b: long }],
    ["a long text in a loop, unescaped", "{{#each a}}{{{../b}}}{{/each}}", { a: many, b: long }],
    ["an array in a loop", "{{#each a}}{{../b}}{{/each}}", { a: large, b: huge }],
    ["what escaping adds", "{{a}}", { a: "'".repeat(1_000_000) }],
    [
      "contents of the template in a loop",
      `{{#each a}}${"x".repeat(20_000)}{{/each}}`,
      { a: many },
    ],
    [
      "a block that prints a value",
      "{{#each a}}{{#lookup .. 'b'}}{{/lookup}}{{/each}}",
      { a: many, b: long },
    ],
    [
      "indentation",
      `{{#*inline 'p'}}${"\n".repeat(50_000)}{{/inline}}\n${" ".repeat(50_000)}{{> p}}\n`,
      {},
    ],
  ])("stops the output of %s", (_name, source, data) => {
    const template = compileTemplate(source, { escape: true });
    expect(refusal(() => renderTemplate(template, data))).toBe(
      "template could not be rendered: its output is too long",
    );
  });

  it.each([
    ["an inline partial in itself", "{{#*inline 'p'}}{{> p}}{{/inline}}{{> p}}"],
    ["an inline partial twice in itself", "{{#*inline 'p'}}{{> p}}{{> p}}{{/inline}}{{> p}}"],
    [
      "inline partials in each other",
      "{{#*inline 'p'}}{{> q}}{{/inline}}{{#*inline 'q'}}{{> p}}{{/inline}}{{> p}}",
    ],
    [
      "a partial block in itself",
      "{{#*inline 'p'}}{{#> p}}{{> @partial-block}}{{/p}}{{/inline}}{{#> p}}x{{/p}}",
    ],
    ["an indented partial in itself", "{{#*inline 'p'}}\nx\n  {{> p}}\n{{/inline}}\n{{> p}}"],
  ])("or the stack stops %s", (_name, source) => {
    const template = compileTemplate(source, { escape: true });
    expect(refusal(() => renderTemplate(template, {}))).toMatch(/nests too deeply|too many steps/);
    expect(() => renderTemplate(template, {})).toThrow(TemplateRenderError);
  });

  it("stops an array that nests too deeply to print", () => {
    expect(refusal(() => html("{{a}}", { a: nestedArray(150_000) }))).toContain("nests too deeply");
  });

  it("counts UTF-8 bytes once, however deep they are printed", () => {
    const nest = (inner: string) => "{{#if a}}".repeat(20) + inner + "{{/if}}".repeat(20);
    const data = { a: "é🎉x" };
    expect(html(nest("{{a}}ü"), data, { outputBytes: 9 })).toBe("é🎉xü");
    expect(refusal(() => html(nest("{{a}}ü"), data, { outputBytes: 8 }))).toContain("too long");
  });

  it("can be chosen by the caller", () => {
    const template = compileTemplate("{{#each a}}{{.}}{{/each}}", { escape: true });
    expect(renderTemplate(template, { a: [1, 2] }, { steps: 100 })).toBe("12");
    expect(refusal(() => renderTemplate(template, { a: many }, { steps: 100 }))).toContain("steps");
  });

  it("is refilled after a render that spent it or failed", () => {
    const template = compileTemplate("{{#each a}}{{#each ../a}}{{x.y}}{{/each}}{{/each}}{{b}}", {
      escape: true,
    });
    for (let round = 0; round < 5; round++) {
      expect(renderTemplate(template, { a: many.slice(0, 200), b: round })).toBe(String(round));
      expect(refusal(() => renderTemplate(template, { a: many.concat(many) }))).toContain("steps");
      expect(refusal(() => renderTemplate(template, { b: { toString: 1 } }))).toContain("type");
    }
  });

  it("and inline partials of a failed render do not carry over to the next", () => {
    const template = compileTemplate(
      "{{#if define}}{{#*inline 'p'}}{{#if fail}}{{bad}}{{/if}}in{{/inline}}{{> p}}{{/if}}{{#> p}}none{{/p}}",
      { escape: true },
    );
    expect(renderTemplate(template, { define: true })).toBe("innone");
    refusal(() => renderTemplate(template, { define: true, fail: true, bad: { toString: 1 } }));
    expect(renderTemplate(template, {})).toBe("none");
  });

  it("allows a partial over a long list that reads outer data", () => {
    const source = "{{#*inline 'p'}}{{#each this}}{{../length}}{{/each}}{{/inline}}{{> p list}}";
    expect(html(source, { list: Array.from({ length: 1_000 }, String) })).toBe(
      "1000".repeat(1_000),
    );
  });

  it("allows a large, ordinary template", () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => ({ n, name: `Item ${n}`, price: n * 2 }));
    const source =
      "{{#each rows}}<tr><td>{{n}}</td><td>{{name}}</td>{{#if price}}<td>{{price}}</td>{{/if}}</tr>\n{{/each}}";
    expect(html(source, { rows }).split("\n")).toHaveLength(2_001);
  });
});

describe("a template rendered again", () => {
  const bad = { toString: 1 };

  it.each<[kept: string, source: string, data: Data, other: Data, expected: string]>([
    ["context", "[{{a}}{{b.c}}]", { a: 1, b: { c: 2 } }, {}, "[]"],
    ["@root", "[{{@root.a}}{{#each l}}{{@root.a}}{{/each}}]", { a: 1, l: [1] }, { l: [1] }, "[]"],
    [
      "@ variables",
      "[{{#each l}}{{@key}}{{#if @last}}!{{/if}}{{/each}}{{@key}}{{@index}}]",
      { l: { x: 1, y: 2 } },
      { l: [] },
      "[]",
    ],
    [
      "block parameters",
      "[{{#each l as |v k|}}{{k}}={{v}}{{/each}}{{v}}{{k}}]",
      { l: [7, 8] },
      { l: [], v: "v", k: "k" },
      "[vk]",
    ],
    [
      "outer contexts",
      "[{{#with a}}{{#with b}}{{../../x}}{{../x}}{{x}}{{/with}}{{/with}}]",
      { x: 1, a: { x: 2, b: { x: 3 } } },
      { a: { b: { y: 3 } } },
      "[]",
    ],
    ["blocks", "[{{#a}}{{b}}{{else}}-{{/a}}]", { a: [{ b: 1 }, { b: 2 }] }, { b: 3 }, "[-]"],
  ])("keeps nothing of its last %s, however it ended", (_kept, source, data, other, expected) => {
    const template = compileTemplate(`${source}{{#if stop}}{{stop}}{{/if}}`, { escape: true });
    const first = renderTemplate(template, data);
    for (let round = 0; round < 3; round++) {
      expect(renderTemplate(template, other)).toBe(expected);
      expect(refusal(() => renderTemplate(template, { ...data, stop: bad }))).toContain("type");
      expect(renderTemplate(template, other)).toBe(expected);
      expect(renderTemplate(template, data)).toBe(first);
    }
    expect(first).not.toBe(expected);
  });

  it("keeps nothing of a run that ended inside a block", () => {
    const template = compileTemplate(
      "{{#each l as |v k|}}{{#with v}}{{@key}}{{../x}}{{@root.x}}{{y}}{{/with}}{{/each}}{{y}}{{@key}}",
      { escape: true },
    );
    const fails = { x: 1, l: [{ y: "a" }, { y: bad }] };
    for (let round = 0; round < 3; round++) {
      expect(refusal(() => renderTemplate(template, fails))).toContain("type");
      expect(renderTemplate(template, { l: [{ z: 1 }] })).toBe("0");
      const deep = { l: [{ y: nestedArray(150_000) }] };
      expect(refusal(() => renderTemplate(template, deep))).toContain("nests too deeply");
      expect(renderTemplate(template, { x: 2, l: [{ y: 3 }] })).toBe("0223");
    }
  });

  it("does not let data into its helpers or prototypes", () => {
    const template = compileTemplate(
      "{{#if constructor}}c{{/if}}{{toString}}{{#with __proto__}}{{a}}{{/with}}{{lookup this 'valueOf'}}{{if.x}}{{#if on}}on{{/if}}",
      { escape: true },
    );
    const hostile: Data = JSON.parse(
      '{"__proto__":{"a":1},"constructor":"own","toString":"own","if":{"x":"own"},"helperMissing":"x","on":true}',
    );
    for (let round = 0; round < 3; round++) {
      expect(renderTemplate(template, hostile)).toBe("cown1ownon");
      expect(renderTemplate(template, { on: true })).toBe("on");
    }
  });

  it("is not charged for inline partials of failed renders", () => {
    const source = "{{#with p}}{{#*inline name}}{{/inline}}{{stop}}{{/with}}";
    const template = compileTemplate(source, { escape: true });
    for (let n = 0; n < 100; n++)
      refusal(() => renderTemplate(template, { name: `p${n}`, p: { stop: bad } }));
    expect(renderTemplate(template, { name: "p", p: { x: 1 } }, { steps: 20 })).toBe("");
  });
});

describe("a render that fails", () => {
  it.each<[reason: string, source: string, data: Data]>([
    ["The partial nope could not be found", "{{> (lookup . 'q')}}", { q: "nope" }],
    ["The partial @partial-block could not be found", "{{> @partial-block}}", {}],
    ["a tag uses a value of the wrong type", "{{lookup a}}", { a: { toString: 1 } }],
  ])("reports: %s", (reason, source, data) => {
    expect(refusal(() => html(source, data))).toBe(`template could not be rendered: ${reason}`);
  });

  it("quotes only a little of the data", () => {
    const message = refusal(() => html("{{> (lookup . 'q')}}", { q: `a\nb${"x".repeat(10_000)}` }));
    expect(message).toContain("The partial a bxxx");
    expect(message.length).toBeLessThan(400);
  });
});

describe("the template cache", () => {
  const escaped = { escape: true };

  it("compiles a key once and serves it again", () => {
    const cache = createTemplateCache();
    const first = cache.get("t:1:html", "{{a}}", escaped);
    expect(cache.get("t:1:html", "{{a}}", escaped)).toBe(first);
    expect(renderTemplate(first, { a: "<" })).toBe("&lt;");
  });

  it("drops the least recently used templates when their sources together are too long", () => {
    const cache = createTemplateCache();
    const source = "x".repeat(128 * 1024);
    const [a, b] = ["a", "b", "c", "d"].map((key) => cache.get(key, source, escaped));
    expect(cache.get("a", source, escaped)).toBe(a);
    cache.get("e", source, escaped);
    expect(cache.get("a", source, escaped)).toBe(a);
    expect(cache.get("b", source, escaped)).not.toBe(b);
  });

  it("holds a bounded number of short templates", () => {
    const cache = createTemplateCache();
    const first = cache.get("0", "x", escaped);
    for (let n = 1; n < 512; n++) cache.get(String(n), "x", escaped);
    expect(cache.get("0", "x", escaped)).toBe(first);
    for (let n = 1; n <= 512; n++) cache.get(String(n), "x", escaped);
    expect(cache.get("0", "x", escaped)).not.toBe(first);
  });

  it("does not cache failures", () => {
    const cache = createTemplateCache();
    expect(() => cache.get("a", "{{", escaped)).toThrow(TemplateSyntaxError);
    expect(renderTemplate(cache.get("a", "ok", escaped), {})).toBe("ok");
  });
});
