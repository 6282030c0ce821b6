import { FAILS } from "./case.ts";
import type { Case, HelperOptions } from "./case.ts";

const greetings = { list: [{ text: "hi" }, { text: "Hi" }, { text: "HI" }], world: "world" };
const nobody = { none: "nobody" };

export const blockCases: Case[] = [
  [
    "a block over an array",
    "{{#list}}{{text}}! {{/list}}{{world}}",
    greetings,
    "hi! Hi! HI! world",
  ],
  [
    "a block over an empty array",
    "{{#list}}{{text}}{{/list}}{{world}}",
    { list: [], world: 1 },
    "1",
  ],
  ["a block over true keeps the context", "{{#a}}{{b}}{{/a}}", { a: true, b: 1 }, "1"],
  ["a block over false", "{{#a}}x{{/a}}y", { a: false }, "y"],
  ["a block over null", "{{#a}}x{{/a}}y", { a: null }, "y"],
  ["a block over nothing", "{{#a}}x{{/a}}y", {}, "y"],
  ["a block over zero", "{{#a}}[{{b}}]{{/a}}", { a: 0, b: 1 }, "[]"],
  ["a block over an empty string", "{{#a}}[{{.}}]{{/a}}", { a: "" }, "[]"],
  ["a block over a string", "{{#a}}{{.}}{{length}}{{/a}}", { a: "abc" }, "abc3"],
  ["a block over an object", "{{#a}}{{b}}{{/a}}", { a: { b: 1 } }, "1"],
  ["a block over a path", "{{#a.b}}{{.}}{{/a.b}}", { a: { b: [1, 2] } }, "12"],
  ["a block over this", "{{#this}}{{a}}{{/this}}", [{ a: 1 }, { a: 2 }], "12"],
  ["a block over a dot, twice", "{{#.}}{{a}}{{/.}}{{#.}}{{a}}{{/.}}", [{ a: 1 }, { a: 2 }], "1212"],
  ["an empty block", "{{#list}}{{/list}}{{world}}", greetings, "world"],
  ["the index in a block", "{{#list}}{{@index}}{{text}} {{/list}}", greetings, "0hi 1Hi 2HI "],
  [
    "the same block twice",
    "{{#list}}{{text}}{{/list}} {{#list}}{{text}}{{/list}}",
    greetings,
    "hiHiHI hiHiHI",
  ],
  [
    "names of the outer context",
    "{{#list}}{{text}}{{../world}} {{/list}}",
    greetings,
    "hiworld Hiworld HIworld ",
  ],
  [
    "names of the outer context twice",
    "{{#list}}{{../world}}{{../world}}{{/list}}",
    { list: [1], world: "w" },
    "ww",
  ],
  [
    "names two contexts out",
    "{{#a}}{{#b}}{{../c}}{{../../d}}{{/b}}{{/a}}",
    { d: 4, a: [{ c: 3, b: [{}] }] },
    "34",
  ],
  ["more dots than contexts", "[{{#a}}{{../../../b}}{{/a}}]", { a: [1] }, "[]"],
  [
    "the outer context itself",
    "{{#a}}{{#b}}{{..}}{{/b}}{{/a}}",
    { a: { b: true } },
    "[object Object]",
  ],
  [
    "an if does not change the context",
    "{{#a}}{{#if b}}{{../c}}{{/if}}{{/a}}",
    { c: 1, a: [{ b: 1 }] },
    "1",
  ],
  [
    "an equal inner context is not a new one",
    "{{#with .}}{{#with .}}{{../a}}{{/with}}{{/with}}",
    { a: 1 },
    "",
  ],
  [
    "nested equal blocks",
    "{{#each p}}{{#with .}}{{a}}{{b}}{{/with}}{{/each}}",
    {
      p: [
        { a: 1, b: 2 },
        { a: 1, b: 2 },
      ],
    },
    "1212",
  ],
  [
    "blocks that differ only in depth",
    "{{#if x}}{{#each a}}{{../n}}{{/each}}{{else}}{{#each b}}{{../n}}{{/each}}{{/if}}",
    { n: "foo", a: [1], b: [1] },
    "foo",
  ],
  ["an inverted block over nothing", "{{^a}}none{{/a}}", {}, "none"],
  ["an inverted block over false", "{{^a}}none{{/a}}", { a: false }, "none"],
  ["an inverted block over an empty array", "{{^a}}none{{/a}}", { a: [] }, "none"],
  ["an inverted block over something", "{{^a}}none{{/a}}", { a: [1] }, ""],
  ["an inverted block over zero", "{{^a}}none{{/a}}", { a: 0 }, ""],
  ["a block and its inverse", "{{^a}}no{{/a}} :: {{#a}}yes{{/a}}", { a: true }, " :: yes"],
  ["an inverted block with else", "{{^a}}no{{else}}yes{{/a}}", { a: true }, "yes"],
  ["a caret as else", "{{#a}}{{b}}{{^}}{{none}}{{/a}}", nobody, "nobody"],
  [
    "a caret as else for an empty array",
    "{{#a}}{{b}}{{^}}{{none}}{{/a}}",
    { ...nobody, a: [] },
    "nobody",
  ],
  ["else in a plain block", "{{#a}}{{b}}{{else}}{{none}}{{/a}}", nobody, "nobody"],
  ["else if", "{{#a}}x{{else if none}}{{none}}{{/a}}", nobody, "nobody"],
  [
    "else if, then else unless",
    "{{#a}}x{{else if b}}y{{else unless b}}{{none}}{{/a}}",
    nobody,
    "nobody",
  ],
  ["else if before else", "{{#a}}x{{else if none}}{{none}}{{else}}z{{/a}}", nobody, "nobody"],
  ["else after else if", "{{#if a}}x{{else if b}}y{{else}}z{{/if}}", {}, "z"],
  [
    "a long chain",
    "{{#if a}}1{{else if b}}2{{else if c}}3{{else with d}}{{.}}{{/if}}",
    { d: 4 },
    "4",
  ],
  ["a chain with each", "{{#if a}}1{{else each b}}{{.}}{{else}}none{{/if}}", { b: [7, 8] }, "78"],
  [
    "a chain with an empty each",
    "{{#if a}}1{{else each b}}{{.}}{{else}}none{{/if}}",
    { b: [] },
    "none",
  ],
  ["a chain must close as it began", "{{#a}}x{{else if none}}y{{/if}}", nobody, FAILS],
  ["a block must close", "{{#a}}x", {}, FAILS],
  ["a block must close as it began", "{{#a}}x{{/b}}", {}, FAILS],
  ["a closing tag needs a block", "x{{/a}}", {}, FAILS],
  ["else needs a block", "x{{else}}y", {}, FAILS],
  ["two else are refused", "{{#if a}}1{{else}}2{{else}}3{{/if}}", {}, FAILS],
  ["else on a line of its own", "{{#a}}\n{{b}}\n{{^}}\n{{none}}\n{{/a}}\n", nobody, "nobody\n"],
  ["a block on lines of its own", "{{#none}}\n{{.}}\n{{^}}\nx\n{{/none}}\n", nobody, "nobody\n"],
  [
    "else if on a line of its own",
    "{{#a}}\n{{b}}\n{{else if none}}\n{{none}}\n{{/a}}\n",
    nobody,
    "nobody\n",
  ],
  [
    "else if and caret on lines",
    "{{#a}}\n{{b}}\n{{else if none}}\n{{none}}\n{{^}}\n{{/a}}\n",
    nobody,
    "nobody\n",
  ],
  [
    "ignoreStandalone keeps the lines",
    "{{#a}}\n{{b}}\n{{^}}\n{{none}}\n{{/a}}\n",
    nobody,
    "\nnobody\n\n",
    { compile: { ignoreStandalone: true } },
  ],
  [
    "nested blocks on lines",
    "{{#d}}\n{{#if true}}\n{{.}}\n{{/if}}\n{{/d}}\nOK",
    { d: [1, 3] },
    "1\n3\nOK",
  ],
  ["indented blocks on lines", "  {{#a}}\n  {{.}}\n  {{/a}}\n!", { a: [1, 2] }, "  1\n  2\n!"],
  ["blocks on lines with carriage returns", "{{#a}}\r\nx\r\n{{/a}}\r\ny", { a: true }, "x\r\ny"],
  ["a function as a block", "{{#a}}yes{{/a}}", { a: () => true }, "yes"],
  [
    "a function as a block sees its context",
    "{{#a}}yes{{/a}}",
    {
      a(this: { b: boolean }) {
        return this.b;
      },
      b: false,
    },
    "",
  ],
  [
    "a function at the end of a path as a block",
    "{{#a.b}}yes{{/a.b}}",
    { a: { b: () => [1, 2] } },
    "yesyes",
  ],
  [
    "compat looks outwards",
    "{{#a}}{{#b}}{{c}}{{/b}}{{/a}}",
    { c: 1, a: [{ b: [{ d: 1 }] }] },
    "1",
    { compile: { compat: true } },
  ],
  [
    "compat looks outwards for the first part of a path",
    "{{#a}}{{#b}}{{c.d}}{{/b}}{{/a}}",
    { c: { d: 1 }, a: [{ b: [{ d: "no" }] }] },
    "1",
    { compile: { compat: true } },
  ],
  [
    "compat does not look outwards for the rest",
    "[{{#a}}{{c.d}}{{/a}}]",
    { c: { e: 1 }, a: [{ d: "no" }] },
    "[]",
    { compile: { compat: true } },
  ],
  [
    "compat leaves scoped names alone",
    "[{{#a}}{{./c}}{{this.c}}{{/a}}]",
    { c: 1, a: [{}] },
    "[]",
    { compile: { compat: true } },
  ],
  [
    "without compat names are not looked up outwards",
    "[{{#a}}{{c}}{{/a}}]",
    { c: 1, a: [{}] },
    "[]",
  ],
];

interface RunFunction {
  (): string;
  run?: string;
  nested?: string;
}
type Props = Record<string, unknown>;

const runHelper = { helper: (o: { fn: RunFunction }) => o.fn.run };
const marking = {
  decorator(block: RunFunction, _props: Props, _container: unknown, o: HelperOptions) {
    block.run = (block.run ?? "") + o.fn();
    return block;
  },
};

export const decoratorCases: Case[] = [
  [
    "a decorator changes its block",
    "{{#helper}}{{*decorator}}{{/helper}}",
    {},
    "yes",
    {
      helpers: runHelper,
      decorators: {
        decorator: (block: RunFunction) => {
          block.run = "yes";
          return block;
        },
      },
    },
  ],
  [
    "a decorator may return nothing",
    "{{#helper}}{{*decorator}}a{{/helper}}",
    {},
    "ab",
    {
      helpers: { helper: (o: { fn: RunFunction }) => o.fn() + String(o.fn.run) },
      decorators: {
        decorator: (block: RunFunction) => {
          block.run = "b";
        },
      },
    },
  ],
  [
    "a decorator may have a block",
    "{{#helper}}{{#*decorator}}yes{{/decorator}}{{/helper}}",
    {},
    "yes",
    { helpers: runHelper, decorators: marking },
  ],
  [
    "decorators run in order",
    "{{#helper}}{{#*decorator}}a{{/decorator}}{{#*decorator}}b{{/decorator}}{{/helper}}",
    {},
    "ab",
    { helpers: runHelper, decorators: marking },
  ],
  [
    "decorators nest",
    "{{#helper}}{{#*decorator}}{{#*nested}}a{{/nested}}b{{/decorator}}{{/helper}}",
    {},
    "ab",
    {
      helpers: runHelper,
      decorators: {
        decorator: (block: RunFunction, _p: Props, _c: unknown, o: { fn: RunFunction }) => {
          block.run = String(o.fn.nested) + o.fn();
          return block;
        },
        nested: (_b: RunFunction, props: Props, _c: unknown, o: HelperOptions) => {
          props["nested"] = o.fn();
        },
      },
    },
  ],
  [
    "a decorator reads the outer context",
    "{{#helper}}{{*decorator a}}{{/helper}}",
    { a: "yes" },
    "yes",
    {
      helpers: runHelper,
      decorators: {
        decorator: (block: RunFunction, _p: Props, _c: unknown, o: { args: string[] }) => {
          block.run = o.args[0] ?? "no";
          return block;
        },
      },
    },
  ],
  [
    "a decorator at the root has no context",
    "{{*decorator a}}",
    { a: "x" },
    "undefined",
    {
      decorators: {
        decorator: (_b: RunFunction, _p: Props, _c: unknown, o: { args: unknown[] }) => () =>
          String(o.args[0]),
      },
    },
  ],
  ["an unknown decorator fails", "{{*decorator}}", {}, FAILS],
  ["a decorator with else is refused", '{{#*inline "a"}}x{{else}}y{{/inline}}', {}, FAILS],
];
