import { FAILS, safe } from "./case.ts";
import type { Case, HelperOptions, Setup } from "./case.ts";

type Context = Record<string, unknown>;

const upper = (text: string) => text.toUpperCase();
const list: Setup = {
  helpers: {
    list(this: Context, items: unknown[], o: HelperOptions) {
      if (items.length === 0) return `<p>${o.inverse(this)}</p>`;
      return `<ul>${items.map((item) => `<li>${o.fn(item)}</li>`).join("")}</ul>`;
    },
  },
};
const named: Setup = {
  helpers: {
    helper: (...args: { name: string }[]) => `ran ${args.at(-1)?.name}`,
    helperMissing: (...args: { name: string }[]) => `no helper ${args.at(-1)?.name}`,
    blockHelperMissing: (...args: { name: string }[]) => `no block ${args.at(-1)?.name}`,
  },
};
const fill: Setup = {
  helpers: {
    value: () => "helper",
    fill(this: Context, o: HelperOptions) {
      return o.fn({ value: "inner" }, { blockParams: [1, 2] });
    },
  },
};
const raw: Setup = {
  helpers: {
    raw: (...args: unknown[]) => (args.at(-1) as HelperOptions).fn() + args.slice(0, -1).join(""),
  },
};
const show: Setup = {
  helpers: {
    show: (...args: unknown[]) =>
      args
        .slice(0, -1)
        .map((arg) => `${typeof arg}:${String(arg)}`)
        .join(" "),
  },
};
const pairs: Setup = {
  helpers: {
    pairs: (o: HelperOptions) =>
      Object.keys(o.hash)
        .sort()
        .map((key) => `${key}=${String(o.hash[key])}`)
        .join(" "),
  },
};
const known = (names: string[], only = true) => ({
  knownHelpers: Object.fromEntries(names.map((name) => [name, true])),
  knownHelpersOnly: only,
});

export const helperCases: Case[] = [
  ["a helper with an argument", "{{up a}}", { a: "x<" }, "X&lt;", { helpers: { up: upper } }],
  ["a helper without arguments", "{{hi}}", {}, "hello", { helpers: { hi: () => "hello" } }],
  ["a helper in triple braces", "{{{up a}}}", { a: "x<" }, "X<", { helpers: { up: upper } }],
  [
    "a helper that returns a safe string",
    "{{b a}}",
    { a: "x" },
    "<b>x</b>",
    { helpers: { b: (a: string) => safe(`<b>${a}</b>`) } },
  ],
  ["a helper that returns nothing", "[{{a}}]", {}, "[]", { helpers: { a: () => undefined } }],
  [
    "a block helper that returns nothing",
    "[{{#a}}x{{/a}}]",
    {},
    "[]",
    { helpers: { a: () => undefined } },
  ],
  [
    "a helper without a context has an object",
    "{{a}} {{a 1}} {{#a}}{{/a}}",
    null,
    "object object object",
    {
      helpers: {
        a(this: unknown) {
          return this === null ? "null" : typeof this;
        },
      },
    },
  ],
  ["a helper that returns zero", "{{a}}", {}, "0", { helpers: { a: () => 0 } }],
  [
    "a helper with an outer argument",
    "{{#l}}{{{go ../p}}}{{/l}}",
    { p: "/r", l: [{ u: "x" }] },
    "/r/x",
    {
      helpers: {
        go(this: Context, p: string) {
          return `${p}/${String(this["u"])}`;
        },
      },
    },
  ],
  [
    "a block helper with the same context",
    "{{#twice}}{{a}}{{/twice}}",
    { a: 1 },
    "11",
    {
      helpers: {
        twice(this: Context, o: HelperOptions) {
          return o.fn(this) + o.fn(this);
        },
      },
    },
  ],
  [
    "a block helper with a new context",
    "{{#twice}}{{../a}}{{/twice}}",
    { a: 1 },
    "11",
    { helpers: { twice: (o: HelperOptions) => o.fn({}) + o.fn({}) } },
  ],
  [
    "a block helper with an argument",
    "{{#form a}}{{n}}{{/form}}",
    { a: { n: 1 } },
    "<1>",
    { helpers: { form: (a: unknown, o: HelperOptions) => `<${o.fn(a)}>` } },
  ],
  [
    "a block helper with a path",
    "{{#form a/b}}{{n}}{{/form}}",
    { a: { b: { n: 1 } } },
    "<1>",
    { helpers: { form: (a: unknown, o: HelperOptions) => `<${o.fn(a)}>` } },
  ],
  [
    "nested block helpers",
    "{{#form a}}{{n}}{{#form .}}{{n}}{{/form}}{{/form}}",
    { a: { n: 1 } },
    "<1<1>>",
    { helpers: { form: (a: unknown, o: HelperOptions) => `<${o.fn(a)}>` } },
  ],
  [
    "a block helper in a loop",
    "{{#p}}{{#link}}{{n}}{{/link}}{{/p}}",
    { p: [{ n: "a", id: 1 }] },
    "1:a",
    {
      helpers: {
        link(this: Context, o: HelperOptions) {
          return `${String(this["id"])}:${o.fn(this)}`;
        },
      },
    },
  ],
  [
    "a block helper over items",
    "{{#list a}}{{n}}{{^}}none{{/list}}",
    { a: [{ n: 1 }, { n: 2 }] },
    "<ul><li>1</li><li>2</li></ul>",
    list,
  ],
  [
    "a block helper and its inverse",
    "{{#list a}}{{n}}{{^}}<i>none</i>{{/list}}",
    { a: [] },
    "<p><i>none</i></p>",
    list,
  ],
  [
    "an inverse in the outer context",
    "{{#list a}}x{{^}}{{m}}{{/list}}",
    { a: [], m: "it's" },
    "<p>it&#x27;s</p>",
    list,
  ],
  [
    "helpers are known in inner contexts",
    "{{#a}}{{#b}}{{hi}}{{/b}}{{/a}}",
    { a: { b: { c: [] } } },
    "hello",
    { helpers: { hi: () => "hello" } },
  ],
  [
    "helpers win over names",
    "{{{a}}} {{a}}",
    { a: "name" },
    "helper helper",
    { helpers: { a: () => "helper" } },
  ],
  [
    "helpers win over names as blocks",
    "{{#a}}x{{/a}}",
    { a: "name" },
    "helper",
    { helpers: { a: () => "helper" } },
  ],
  [
    "scoped names win over helpers",
    "{{this.a}} {{./a}}",
    { a: "name" },
    "name name",
    { helpers: { a: () => "helper" } },
  ],
  [
    "a function on a path wins over a helper",
    "{{./a 1}} {{b/a 1}}",
    { a: () => "f", b: { a: () => "g" } },
    "f g",
    { helpers: { "./a": () => "helper" } },
  ],
  ["a raw block keeps its tags", "{{{{raw}}}} {{a}} {{{{/raw}}}}", { a: 1 }, " {{a}} ", raw],
  ["a raw block takes arguments", "{{{{raw 1 2 3}}}} {{a}} {{{{/raw}}}}", {}, " {{a}} 123", raw],
  [
    "a raw block in a raw block",
    "{{{{raw}}}} {{{{b}}}} {{{{/b}}}} {{{{/raw}}}}",
    {},
    " {{{{b}}}} {{{{/b}}}} ",
    raw,
  ],
  ["an empty raw block", "{{{{raw}}}}{{{{/raw}}}}", {}, "", raw],
  [
    "a raw block after a raw block",
    "{{{{raw}}}} {{a}} {{{{/raw}}}} {{{{raw}}}} {{b}} {{{{/raw}}}}",
    {},
    " {{a}}   {{b}} ",
    raw,
  ],
  ["a raw block must close", "{{{{raw}}}} {{{{/ra", {}, FAILS, raw],
  ["a raw block without a helper is a block", "{{{{a}}}}{{b}}{{{{/a}}}}", { a: true }, "{{b}}"],
  [
    "number arguments",
    "{{show 12 -12 1.25 -0.5}}",
    {},
    "number:12 number:-12 number:1.25 number:-0.5",
    show,
  ],
  [
    "literal arguments",
    '{{show "a b" true false null undefined}}',
    {},
    "string:a b boolean:true boolean:false object:null undefined:undefined",
    show,
  ],
  [
    "quotes in arguments",
    '{{{show "\\"a\\"" \'\\\'b\\\'\' "c\'s"}}}',
    {},
    "string:\"a\" string:'b' string:c's",
    show,
  ],
  ["an empty string argument", "{{show \"\" ''}}", {}, "string: string:", show],
  [
    "paths as arguments",
    "{{show a.b c @root.c}}",
    { a: { b: 1 }, c: "x" },
    "number:1 string:x string:x",
    show,
  ],
  ["a missing argument is undefined", "{{show a.b}}", {}, "undefined:undefined", show],
  [
    "many arguments",
    "{{show 1 2 3 4 5 6}}",
    {},
    "number:1 number:2 number:3 number:4 number:5 number:6",
    show,
  ],
  ["arguments over several lines", "{{show\n  1\n  2\n}}", {}, "number:1 number:2", show],
  ["a quote inside a name is refused", '{{show a"b"}}', {}, FAILS, show],
  ["an unclosed string is refused", '{{show "a}}', {}, FAILS, show],
  [
    "pairs",
    '{{pairs a=1 b="x" c=true d=e}}',
    { e: "y" },
    "a&#x3D;1 b&#x3D;x c&#x3D;true d&#x3D;y",
    pairs,
  ],
  [
    "pairs with paths",
    "{{{pairs a=b.c d=@root.e f=../g}}}",
    { b: { c: 1 }, e: 2 },
    "a=1 d=2 f=undefined",
    pairs,
  ],
  ["the first of two equal keys wins", "{{{pairs a=1 a=2}}}", {}, "a=1", pairs],
  ["__proto__ is not a key", "{{{pairs __proto__=1 a=2}}}", {}, "a=2", pairs],
  [
    "pairs on a block",
    "{{#times n=3}}x{{/times}}",
    {},
    "xxx",
    { helpers: { times: (o: HelperOptions) => o.fn().repeat(Number(o.hash["n"])) } },
  ],
  ["arguments after pairs are refused", "{{show a=1 b}}", {}, FAILS, show],
  ["an unknown helper with arguments fails", "{{nothing a}}", { a: 1 }, FAILS],
  ["an unknown block helper with arguments fails", "{{#nothing a}}x{{/nothing}}", { a: 1 }, FAILS],
  ["an unknown helper with pairs prints nothing", "[{{nothing a=1}}]", {}, "[]"],
  ["an unknown helper in a dead branch is no harm", "{{#if a}}{{nothing b}}{{/if}}ok", {}, "ok"],
  ["a value called with arguments fails", "{{a b}}", { a: "x", b: 1 }, FAILS],
  [
    "helperMissing gets calls",
    "{{a}} {{link b}}",
    { a: "A", b: "B" },
    "A <a>B</a>",
    {
      helpers: {
        helperMissing: (b: string, o?: HelperOptions) =>
          o?.name === "link" ? safe(`<a>${b}</a>`) : undefined,
      },
    },
  ],
  [
    "helperMissing gets values",
    "{{a}} {{link}}",
    { a: "A" },
    "A won",
    { helpers: { helperMissing: (o: HelperOptions) => (o.name === "link" ? "won" : undefined) } },
  ],
  ["the name of an ambiguous call", "{{helper}}", {}, "ran helper", named],
  ["the name of a call", "{{helper 1}}", {}, "ran helper", named],
  ["the name of an ambiguous block", "{{#helper}}{{/helper}}", {}, "ran helper", named],
  ["the name of a block with an argument", "{{#helper 1}}{{/helper}}", {}, "ran helper", named],
  ["the name of a scoped block", "{{#./helper}}{{/./helper}}", {}, "no block ./helper", named],
  ["the name of a path block", "{{#a.helper}}{{/a.helper}}", { a: {} }, "no block a.helper", named],
  [
    "the name of a path call",
    "{{#a.helper b=c}}{{/a.helper}}",
    { a: {} },
    "no helper a.helper",
    named,
  ],
  [
    "the name of a known helper",
    "{{helper}}",
    {},
    "ran helper",
    { ...named, compile: known(["helper"]) },
  ],
  [
    "a known helper",
    "{{hi}}",
    {},
    "hello",
    { helpers: { hi: () => "hello" }, compile: known(["hi"], false) },
  ],
  [
    "only known helpers are called",
    "{{show hi}}",
    {},
    "undefined:undefined",
    { helpers: { ...show.helpers, hi: () => "hello" }, compile: known(["show"]) },
  ],
  ["built-in helpers are known", "{{#unless a}}no{{/unless}}", {}, "no", { compile: known([]) }],
  [
    "values with only known helpers",
    "{{a}} {{b.c}}",
    { a: 1, b: { c: 2 } },
    "1 2",
    { compile: known([]) },
  ],
  [
    "blocks with only known helpers",
    "{{#a}}x{{/a}}{{^b}}y{{/b}}",
    { a: 1 },
    "xy",
    { compile: known([]) },
  ],
  [
    "functions with only known helpers",
    "{{a}}",
    {
      a(this: Context) {
        return this["b"];
      },
      b: 1,
    },
    "1",
    { compile: known([]) },
  ],
  [
    "an unknown call with only known helpers is refused",
    "{{show a}}",
    {},
    FAILS,
    { compile: known([]) },
  ],
  [
    "block parameters win over names",
    "{{#fill as |value|}}{{value}}{{/fill}} {{this.value}}",
    { value: "outer" },
    "1 outer",
    fill,
  ],
  [
    "block parameters win over helpers",
    "{{#fill as |value|}}{{value}}{{/fill}}{{value}}",
    {},
    "1helper",
    fill,
  ],
  [
    "block parameters do not win over paths",
    "{{#fill as |value|}}{{./value}}{{/fill}}",
    {},
    "inner",
    fill,
  ],
  [
    "block parameters on an else chain",
    "{{#if a}}{{else fill as |value|}}{{value}}{{/if}}",
    {},
    "1",
    fill,
  ],
  [
    "block parameters in pairs and arguments",
    "{{#fill as |value|}}{{show value}} {{pairs a=value}}{{/fill}}",
    {},
    "number:1 a&#x3D;1",
    { helpers: { ...fill.helpers, ...show.helpers, ...pairs.helpers } },
  ],
  [
    "a block parameter called with arguments is the parameter",
    "{{#each a as |x|}}{{x 1}}{{/each}}",
    { a: [7] },
    "7",
  ],
  ["two block parameters", "{{#fill as |a b|}}{{a}}{{b}}{{/fill}}", {}, "12", fill],
  ["block parameters need names", "{{#fill as ||}}x{{/fill}}", {}, FAILS, fill],
  ["block parameters must close", "{{#fill as |a}}x{{/fill}}", {}, FAILS, fill],
];

const sub: Setup = {
  helpers: {
    val: (a: unknown) => `val ${String(a)}`,
    eq: (a: unknown, b: unknown) => a === b,
    cat: (a: string, b: string) => a + b,
    dash: (a: string, b: string) => `${a}-${b}`,
    lol: () => "LOL",
    t: (text: string) => safe(`<${text}>`),
    input: (o: HelperOptions) => safe(`${String(o.hash["a"])}|${String(o.hash["b"])}`),
    fun: (o: HelperOptions) => `val ${String(o.hash["f"])}`,
  },
};

export const subexpressionCases: Case[] = [
  ["a call as an argument", "{{val (lol)}}!", {}, "val LOL!", sub],
  ["a call with arguments as an argument", "{{val (eq a b)}}", { a: 1, b: 1 }, "val true", sub],
  [
    "calls and paths as arguments",
    "{{dash (cat a b) c.d}} {{dash c.d (cat a b)}}",
    { a: 1, b: 2, c: { d: 3 } },
    "3-3 3-3",
    sub,
  ],
  ["calls with literals", "{{dash 'abc' (cat a b)}}", { a: "a", b: "b" }, "abc-ab", sub],
  ["calls in calls", "{{val (eq (eq true true) true)}}", {}, "val true", sub],
  ["calls with pairs", "{{val (eq (eq true true) true f='yes')}}", {}, "val true", sub],
  ["calls in pairs", "{{fun f=(eq (fun f=1) 'val 1')}}", {}, "val true", sub],
  ["several calls in pairs", '{{input a=(t "x") b=(t y.z)}}', { y: { z: "w" } }, "<x>|<w>", sub],
  ["a call in a block argument", "{{#if (eq a 1)}}one{{else}}other{{/if}}", { a: 1 }, "one", sub],
  ["a call in an else chain", "{{#if (eq a 1)}}1{{else if (eq a 2)}}2{{/if}}", { a: 2 }, "2", sub],
  ["a function of the context as a call", "{{val (f)}}", { f: () => "x" }, "val x", sub],
  ["a value as a call fails", "{{val (f)}}", { f: "x" }, FAILS, sub],
  ["a missing call is undefined", "{{val (f)}}", {}, "val undefined", sub],
  ["a missing call with arguments fails", "{{val (f 1)}}", {}, FAILS, sub],
  ["an unclosed call is refused", "{{val (eq 1 2}}", {}, FAILS, sub],
  [
    "each call has options of its own",
    "{{eq (same) (same)}}",
    {},
    "false",
    { helpers: { ...sub.helpers, same: (o: HelperOptions) => o } },
  ],
  ["a call as the whole tag is refused", "{{(lol)}}", {}, FAILS, sub],
];
