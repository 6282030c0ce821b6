import { describe, expect, it } from "vitest";
import { createEngine } from "../../../src/mail/template/engine.ts";
import { TemplateRenderError, TemplateSyntaxError } from "../../../src/mail/template/index.ts";
import { casesByTheme } from "./cases/all.ts";
import { FAILS } from "./cases/case.ts";
import type { Case } from "./cases/case.ts";

/** Result of `act`; a refusal must come from this engine. */
function orRefusal<T>(act: () => T): T | typeof FAILS {
  try {
    return act();
  } catch (error) {
    if (error instanceof TemplateSyntaxError || error instanceof TemplateRenderError) return FAILS;
    throw error;
  }
}

/** Result of the engine for a case. */
function run([, template, context, , setup = {}]: Case): string | typeof FAILS {
  const { helpers = {}, partials = {}, decorators = {}, compile, run: options } = setup;
  return orRefusal(() =>
    createEngine(compile)
      .compile(template)
      .render(context, {}, { ...options, helpers, partials, decorators }),
  );
}

/** The same with everything in the environment, so that the renders share state. */
function runThrice([, template, context, , setup = {}]: Case): unknown[] {
  const { helpers, partials, decorators, compile } = setup;
  const { environment, ...engine } = createEngine(compile);
  Object.assign(environment.helpers, helpers);
  Object.assign(environment.partials, partials);
  Object.assign(environment.decorators, decorators);
  const compiled = orRefusal(() => engine.compile(template));
  if (compiled === FAILS) return [FAILS, FAILS, FAILS];
  return [1, 2, 3].map(() => orRefusal(() => compiled.render(context)));
}

/** True for a case with helpers, partials, decorators or options that one render may bring. */
const isOfRender = ([, , , , setup = {}]: Case) =>
  [setup.helpers, setup.partials, setup.decorators, setup.run].some((own) => own !== undefined);

describe.each(Object.entries(casesByTheme))("%s", (_theme, cases) => {
  it.each(cases.filter(isOfRender))("%s: %s", (...testCase) => {
    expect(run(testCase)).toBe(testCase[3]);
  });

  const plainCases = cases.filter(([, , , , setup]) => setup?.run === undefined);
  it.each(plainCases)("%s: %s, in each render", (...testCase) => {
    expect(runThrice(testCase)).toEqual([testCase[3], testCase[3], testCase[3]]);
  });
});
