import { afterAll, describe, expect, it } from "vitest";
import { createEngine } from "../../../src/mail/template/engine.ts";
import { TemplateRenderError, TemplateSyntaxError } from "../../../src/mail/template/index.ts";
import { casesByTheme } from "./cases/all.ts";
import { FAILS } from "./cases/case.ts";
import type { Case } from "./cases/case.ts";

let casesRun = 0;

/** What the engine makes of a case; a refusal must be one of ours. */
function run([, template, context, , setup = {}]: Case): string | typeof FAILS {
  const { helpers = {}, partials = {}, decorators = {}, compile, run: options } = setup;
  casesRun++;
  try {
    return createEngine(compile)
      .compile(template)
      .render(
        context,
        {},
        {
          ...options,
          helpers,
          partials,
          decorators,
        },
      );
  } catch (error) {
    if (error instanceof TemplateSyntaxError || error instanceof TemplateRenderError) return FAILS;
    throw error;
  }
}

describe.each(Object.entries(casesByTheme))("%s", (_theme, cases) => {
  it.each(cases)("%s: %s", (...testCase) => {
    expect(run(testCase)).toBe(testCase[3]);
  });
});

afterAll(() => console.log(`${casesRun} Handlebars cases`));
