// Stock Handlebars compiles with `eval`, which runs in Node and not in Workers. Both engines run
// here side by side, on the table of cases and on random templates.
import fc from "fast-check";
import Handlebars from "handlebars";
import { afterAll, describe, expect, it } from "vitest";
import { createEngine } from "../../src/mail/template/engine.ts";
import { compileTemplate, renderTemplate } from "../../src/mail/template/index.ts";
import { casesByTheme } from "../mail/template/cases/all.ts";
import { FAILS } from "../mail/template/cases/case.ts";
import type { Setup } from "../mail/template/cases/case.ts";

type Outcome = { printed: string } | typeof FAILS;

const RUNS = 400;
const SEED = 20_261_120;

function orFails<T>(work: () => T): T | typeof FAILS {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) return FAILS;
    throw error;
  }
}

const attempt = (render: () => string): Outcome => orFails(() => ({ printed: render() }));

function stock(source: string, context: unknown, setup: Setup = {}): Outcome {
  const { helpers = {}, partials = {}, decorators = {}, compile, run } = setup;
  return attempt(() =>
    // A copy: stock compiles partials into the object it receives.
    Handlebars.create().compile(source, { ...compile })(context, {
      ...PROTOTYPE_ACCESS,
      ...run,
      helpers,
      partials: { ...partials },
      decorators,
    } as Handlebars.RuntimeOptions),
  );
}

/** Stock's default, without a log line for every attempt. */
const PROTOTYPE_ACCESS = {
  allowProtoPropertiesByDefault: false,
  allowProtoMethodsByDefault: false,
};

const name = fc.constantFrom("a", "b", "c", "list", "n", "deep");
const path = fc.oneof(
  { weight: 6, arbitrary: name },
  name.map((part) => `../${part}`),
  name.map((part) => `this.${part}`),
  fc.tuple(name, name).map(([first, second]) => `${first}.${second}`),
  fc.constantFrom("this", ".", "@index", "@key", "@first", "@root.a", "@root.list", "@../index"),
  fc.constantFrom("constructor", "__proto__", "list.length", "toString", "x", "y"),
);
const literal = fc.constantFrom('"a"', "'list'", "0", "12", "true", "null", "undefined");
const value = fc.oneof(
  { weight: 4, arbitrary: path },
  literal,
  fc.tuple(path, fc.oneof(path, literal)).map(([object, key]) => `(lookup ${object} ${key})`),
);
const tilde = fc.constantFrom("", "", "", "~");
const gap = fc.constantFrom("", " ", "\n", "\n  ", "text", " <b> ", "\\", "é🎉\r\n", "'\"`=");

/** A template as a list of pieces, with nested blocks. */
const { template } = fc.letrec<{ template: string; piece: string }>((tie) => {
  const block = (open: fc.Arbitrary<string>, close: string) =>
    fc
      .tuple(
        open,
        tilde,
        tie("template"),
        fc.option(tie("template"), { nil: undefined }),
        tilde,
        gap,
      )
      .map(
        ([head, strip, body, inverse, endStrip, after]) =>
          `{{${strip}#${head}${strip}}}${after}${body}${inverse === undefined ? "" : `{{${endStrip}else}}${inverse}`}{{${endStrip}/${close}}}${after}`,
      );
  return {
    template: fc
      .array(tie("piece"), { maxLength: 5, depthIdentifier: "template" })
      .map((all) => all.join("")),
    piece: fc.oneof(
      { depthIdentifier: "template", depthSize: "small", maxDepth: 5 },
      gap,
      fc
        .tuple(tilde, value, tilde)
        .map(([left, shown, right]) => `{{${left}${unwrap(shown)}${right}}}`),
      path.map((shown) => `{{{${shown}}}}`),
      path.map((shown) => `{{&${shown}}}`),
      fc.constantFrom(
        "{{! note }}",
        "{{!-- {{note}} --}}\n",
        "\\{{kept}}",
        "{{> p}}\n",
        "  {{> p list}}\n",
        "{{> p a a=b}}",
        "{{> (lookup . 'a')}}",
      ),
      block(
        value.map((test) => `if ${test}`),
        "if",
      ),
      block(
        value.map((test) => `unless ${test}`),
        "unless",
      ),
      block(
        value.map((list) => `each ${list}`),
        "each",
      ),
      block(
        value.map((list) => `each ${list} as |x y|`),
        "each",
      ),
      block(
        value.map((context) => `with ${context}`),
        "with",
      ),
      block(
        value.map((context) => `with ${context} as |x|`),
        "with",
      ),
      name.chain((key) => block(fc.constant(key), key)),
      tie("template").map((body) => `{{#*inline "p"}}${body}{{/inline}}`),
      fc.tuple(tie("template"), value).map(([body, context]) => `{{#> p ${context}}}${body}{{/p}}`),
      fc.tuple(name, tie("template")).map(([key, body]) => `{{^${key}}}${body}{{/${key}}}`),
    ),
  };
});

/** A call as a tag of its own needs no parentheses. */
function unwrap(shown: string): string {
  return shown.replace(/^\((.*)\)$/, "$1");
}

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1.5, "", "<&>", "a", "list", "p"),
  fc.string({ maxLength: 5 }),
);
const { data } = fc.letrec<{ data: object; any: unknown }>((tie) => ({
  data: fc.dictionary(name, tie("any"), { maxKeys: 6, noNullPrototype: true }),
  any: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.array(tie("any"), { maxLength: 3 }),
    tie("data"),
  ),
}));

let compared = 0;
let printed = 0;
const PARTIALS = { p: "[{{a}}{{#each list}}\n {{.}}{{/each}}]\n" };

describe("the template engine and stock Handlebars", () => {
  it.each(Object.entries(casesByTheme))("agree on the table: %s", (_theme, cases) => {
    for (const [title, source, context, expected, setup] of cases) {
      const outcome = stock(source, context, setup);
      expect([title, outcome]).toEqual([title, expected === FAILS ? FAILS : { printed: expected }]);
    }
  });

  it.each([
    ["escaped", false],
    ["plain", true],
  ] as const)("agree on any template, %s", (_name, noEscape) => {
    fc.assert(
      fc.property(template, data, fc.boolean(), (source, context, withPartial) => {
        const partials = withPartial ? PARTIALS : {};
        const theirs = stock(source, context, { compile: { noEscape }, partials });
        const mine = attempt(() =>
          createEngine({ noEscape })
            .compile(source)
            .render(context, {}, { partials: { ...partials } }),
        );
        compared++;
        if (theirs !== FAILS) printed++;
        expect(mine).toEqual(theirs);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it("agree wherever the validation of a saved template accepts it", () => {
    fc.assert(
      fc.property(template, data, (source, context) => {
        const compiled = orFails(() => compileTemplate(source, { escape: true }));
        if (compiled === FAILS) return;
        expect(attempt(() => renderTemplate(compiled, { ...context }))).toEqual(
          stock(source, context),
        );
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });

  afterAll(() => console.log(`${compared} random templates compared, ${printed} of them print`));
});

describe("the budget of a render", () => {
  it("stops 400 × 400 × 400 iterations", () => {
    const source = "{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}";
    const compiled = compileTemplate(source, { escape: true });
    expect(() => renderTemplate(compiled, { a: Array.from({ length: 400 }, () => 1) })).toThrow(
      "too many steps",
    );
  });
});
