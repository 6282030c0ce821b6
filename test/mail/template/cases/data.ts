import { FAILS, frameOver } from "./case.ts";
import type { Case, HelperOptions, Setup } from "./case.ts";

type Context = Record<string, unknown>;

const set: Setup = {
  helpers: {
    set(this: Context, o: HelperOptions) {
      return o.fn(this, { data: { ...frameOver(o.data), ...o.hash } });
    },
    data: (o: HelperOptions) => String(o.data["a"]),
    say: (a: unknown) => `say ${String(a)}`,
    block(this: Context, o: HelperOptions) {
      return `${String(o.data["a"])} ${o.fn({ own: "!" })}`;
    },
    sad: (o: HelperOptions) => o.fn({}, { data: { a: "sad" } }),
  },
  run: { data: { a: "happy", n: { m: "deep" } } },
};

export const dataCases: Case[] = [
  ["an at-variable", "{{@a}}", {}, "happy", set],
  ["a missing at-variable", "[{{@b}}]", {}, "[]", set],
  ["an at-variable path", "{{@n.m}} {{@n/m}}", {}, "deep deep", set],
  ["a path from a missing at-variable", "[{{@b.c}}]", {}, "[]", set],
  [
    "a path from a zero at-variable prints the zero",
    "{{@z.a}}",
    {},
    "0",
    { run: { data: { z: 0 } } },
  ],
  [
    "an at-variable as an argument",
    "{{say @a}} {{say @n.m}} {{say @b.c}}",
    {},
    "say happy say deep say undefined",
    set,
  ],
  ["an at-variable in a block", "{{#if @a}}yes{{/if}}", {}, "yes", set],
  ["an at-variable as a block", "{{#@n}}{{m}}{{/@n}}", {}, "deep", set],
  ["helpers see at-variables", "{{data}}", {}, "happy", set],
  [
    "block helpers see at-variables",
    "{{#block}}{{data}}{{own}}{{/block}}",
    {},
    "happy happy!",
    set,
  ],
  [
    "block helpers and outer names",
    "{{#block}}{{say ../x}}{{/block}}",
    { x: 1 },
    "happy say 1",
    set,
  ],
  ["partials see at-variables", "{{> p}}", {}, "happy", { ...set, partials: { p: "{{data}}" } }],
  [
    "a helper may set at-variables",
    "{{#set b=1}}{{#if true}}{{@b}}{{@a}}{{/if}}{{/set}}[{{@b}}]",
    {},
    "1happy[]",
    set,
  ],
  [
    "at-variables are inherited",
    "{{#set x=1 y=2}}{{#set x=z.w}}{{@y}}{{@x}}{{/set}}{{@x}}{{/set}}",
    { z: { w: 3 } },
    "231",
    set,
  ],
  ["a helper may replace at-variables", "{{#sad}}{{@a}}{{/sad}}{{@a}}", {}, "sadhappy", set],
  ["the root", "{{#each l}}{{@root.x}}{{/each}}", { l: [1, 2], x: 3 }, "33"],
  [
    "the root in nested blocks",
    "{{#each l}}{{#with .}}{{@root.x}}{{/with}}{{/each}}",
    { l: [1], x: 3 },
    "3",
  ],
  [
    "the root in a partial",
    "{{#each l}}{{> p}}{{/each}}",
    { l: [1], x: 3 },
    "3",
    { partials: { p: "{{@root.x}}" } },
  ],
  ["a root of our own", "{{@root.x}}", { x: 3 }, "4", { run: { data: { root: { x: 4 } } } }],
  [
    "the outer at-variables",
    "{{#each l}}{{#each .}}{{@../index}}{{/each}}{{/each}}",
    { l: [[1], [2, 3]] },
    "011",
  ],
  ["at-variables far out", "[{{@../../index}}]", {}, "[]"],
  ["at-variables are no names", "[{{a}}]", {}, "[]", set],
  ["a parent inside an at-path is refused", "{{@a/../b}}", {}, FAILS],
  ["an at-sign alone is refused", "{{@}}", {}, FAILS],
];

const strict: Setup = { compile: { strict: true } };
const assume: Setup = { compile: { assumeObjects: true } };

export const strictCases: Case[] = [
  ["strict: a missing name fails", "{{a}}", {}, FAILS, strict],
  ["strict: a missing part fails", "{{a.b}}", { a: {} }, FAILS, strict],
  ["strict: a missing first part fails", "{{a.b}}", {}, FAILS, strict],
  ["strict: what is there prints", "{{a.b}}", { a: { b: 1 } }, "1", strict],
  [
    "strict: an explicit undefined prints nothing",
    "[{{a.b}}]",
    { a: { b: undefined } },
    "[]",
    strict,
  ],
  ["strict: null prints nothing", "[{{a}}]", { a: null }, "[]", strict],
  [
    "strict: only known helpers",
    "{{a}}",
    {},
    FAILS,
    { compile: { strict: true, knownHelpersOnly: true } },
  ],
  ["strict: no context fails", "{{a}}", undefined, FAILS, strict],
  ["strict: a missing at-variable fails", "{{@a}}", {}, FAILS, strict],
  ["strict: an at-variable prints", "{{@a}}", {}, "x", { ...strict, run: { data: { a: "x" } } }],
  ["strict: a missing helper fails", "{{a b}}", { b: 1 }, FAILS, strict],
  ["strict: a missing block helper fails", "{{#a b}}{{/a}}", { b: 1 }, FAILS, strict],
  ["strict: a missing block fails", "{{#a}}{{/a}}", {}, FAILS, strict],
  ["strict: a missing inverted block fails", "{{^a}}{{/a}}", {}, FAILS, strict],
  ["strict: a missing path block fails", "{{#a.b}}{{/a.b}}", { a: {} }, FAILS, strict],
  ["strict: arguments may be missing", "{{#unless a}}ok{{/unless}}", {}, "ok", strict],
  [
    "strict: pairs may be missing",
    "{{h v=@a}}",
    {},
    "true",
    { ...strict, helpers: { h: (o: HelperOptions) => "v" in o.hash } },
  ],
  [
    "strict: helpers are called",
    "{{h}} {{h 1}}",
    {},
    "ok ok",
    { ...strict, helpers: { h: () => "ok" } },
  ],
  ["strict: inner names", "{{#each a}}{{b}}{{/each}}", { a: [{ b: 1 }, {}] }, FAILS, strict],
  ["strict: partials inherit it", "{{> p}}", {}, FAILS, { ...strict, partials: { p: "{{a}}" } }],
  ["assumed objects: a missing name prints nothing", "[{{a}}]", {}, "[]", assume],
  ["assumed objects: a missing last part prints nothing", "[{{a.b}}]", { a: {} }, "[]", assume],
  ["assumed objects: a missing object fails", "{{a.b}}", {}, FAILS, assume],
  ["assumed objects: no context fails", "{{a}}", undefined, FAILS, assume],
  ["assumed objects: a missing at-object fails", "{{@a.b}}", undefined, FAILS, assume],
  ["assumed objects: inverted blocks", "{{^a}}x{{/a}}", {}, "x", assume],
];

class Thing {
  own = "own";
  get property() {
    return "value";
  }
  method() {
    return "result";
  }
}
const thing = new Thing();
const allow = (run: Setup["run"] & object): Setup => ({ run });
const hostileJson: unknown = JSON.parse(
  '{"a":{"__proto__":{"x":"own"},"constructor":{"name":"mine"}}}',
);

export const securityCases: Case[] = [
  ...[
    "constructor",
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
  ].flatMap((name): Case[] => [
    [`${name} is not reached by name`, `[{{${name}}}]`, {}, "[]"],
    [`${name} is not reached by path`, `[{{a.${name}}}]`, { a: [] }, "[]"],
    [`${name} is not reached by lookup`, `[{{lookup this "${name}"}}]`, {}, "[]"],
    [`${name} is not reached as a block`, `[{{#${name}}}x{{/${name}}}]`, {}, "[]"],
    [`${name} is not reached by with`, `[{{#with a.${name}}}x{{/with}}]`, { a: "s" }, "[]"],
  ]),
  ["the constructor's name is not reached", "[{{constructor.name}}]", {}, "[]"],
  ["nor by two lookups", '[{{lookup (lookup this "constructor") "name"}}]', {}, "[]"],
  [
    "nor by a list that turns into the name",
    '[{{lookup (lookup this (l "constructor")) "name"}}]',
    {},
    "[]",
    { helpers: { l: (a: unknown) => [a] } },
  ],
  [
    "an own constructor is data",
    '{{constructor.name}} {{lookup constructor "name"}}',
    { constructor: { name: "mine" } },
    "mine mine",
  ],
  [
    "own hostile keys of JSON are data",
    "{{a.__proto__.x}} {{a.constructor.name}}",
    hostileJson,
    "own mine",
  ],
  ["own hostile keys of JSON do not leak into others", "[{{x}}{{a.x}}{{b.x}}]", hostileJson, "[]"],
  ["helperMissing cannot be called", "{{helperMissing}}", {}, FAILS],
  ["helperMissing cannot be called as a block", "{{#helperMissing}}{{/helperMissing}}", {}, FAILS],
  ["blockHelperMissing cannot be called", '{{blockHelperMissing "a" .}}', { fn: "x" }, FAILS],
  [
    "blockHelperMissing cannot be called as a block",
    "{{#blockHelperMissing .}}{{/blockHelperMissing}}",
    { fn: "x" },
    FAILS,
  ],
  [
    "helperMissing as data cannot be called either",
    "{{helperMissing}}",
    { helperMissing: 1 },
    FAILS,
  ],
  ["__defineGetter__ cannot be called", '{{__defineGetter__ "undefined" valueOf}}', {}, FAILS],
  ["__lookupGetter__ is not an object", "[{{#with __lookupGetter__}}x{{/with}}]", {}, "[]"],
  ["a class's own field is data", "{{own}}", thing, "own"],
  ["a class's method is not reached", "[{{method}}]", thing, "[]"],
  ["a class's getter is not reached", "[{{property}}]", thing, "[]"],
  [
    "a class's method may be allowed",
    "{{method}}",
    thing,
    "result",
    allow({ allowedProtoMethods: { method: true } }),
  ],
  [
    "a class's methods may be allowed",
    "{{method}}",
    thing,
    "result",
    allow({ allowProtoMethodsByDefault: true }),
  ],
  [
    "a class's method may be excepted",
    "[{{method}}]",
    thing,
    "[]",
    allow({ allowProtoMethodsByDefault: true, allowedProtoMethods: { method: false } }),
  ],
  [
    "a class's getter may be allowed",
    "{{property}}",
    thing,
    "value",
    allow({ allowedProtoProperties: { property: true } }),
  ],
  [
    "a class's getters may be allowed",
    "{{property}}",
    thing,
    "value",
    allow({ allowProtoPropertiesByDefault: true }),
  ],
  [
    "constructor stays denied when all is allowed",
    "[{{constructor}}{{__proto__}}]",
    {},
    "[]",
    allow({ allowProtoMethodsByDefault: true, allowProtoPropertiesByDefault: true }),
  ],
  ["methods of strings are not reached", '[{{a.trim}}{{lookup a "trim"}}]', { a: " x " }, "[]"],
  ["methods of arrays are not reached", "[{{a.pop}}{{#with a.map}}x{{/with}}]", { a: [1] }, "[]"],
  ["the helpers' prototype is not reached", "[{{#toString}}x{{/toString}}{{valueOf}}]", {}, "[]"],
  [
    "the at-variables' prototype is not reached",
    "[{{@constructor}}{{@__proto__}}{{@toString}}]",
    {},
    "[]",
  ],
  [
    "the constructor of a function is not reached",
    "[{{f.constructor}}{{f.prototype.constructor}}]",
    { f: class {} },
    "[]",
  ],
  [
    "the block of a partial gives nothing away",
    "{{#> p}}x{{/p}}",
    {},
    "[]",
    { partials: { p: '[{{@partial-block.constructor}}{{lookup @partial-block "constructor"}}]' } },
  ],
  [
    "compat looks past what is denied",
    "{{#a}}{{trim}}{{/a}}",
    { a: " x ", trim: "ours" },
    "ours",
    { compile: { compat: true } },
  ],
  [
    "compat takes what is allowed",
    "{{#a}}{{trim}}{{/a}}",
    { a: " x ", trim: "ours" },
    "x",
    { compile: { compat: true }, run: { allowedProtoMethods: { trim: true } } },
  ],
  ["escaping in compat", "{{a}}", { a: "<" }, "&lt;", { compile: { compat: true } }],
  [
    "text that is code stays text",
    '{{a}}"); alert(1); ("',
    { a: '\\"' },
    '\\&quot;"); alert(1); ("',
  ],
  ["names that are code stay names", '[{{[a"]; alert(1)]}}]', {}, FAILS],
];
