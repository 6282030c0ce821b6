import { basicCases } from "./basic.ts";
import { blockCases, decoratorCases } from "./blocks.ts";
import { builtInCases } from "./built-ins.ts";
import type { Case } from "./case.ts";
import { dataCases, securityCases, strictCases } from "./data.ts";
import { helperCases, subexpressionCases } from "./helpers.ts";
import { partialCases, whitespaceCases } from "./partials.ts";

/** Behaviour of Handlebars by topic. */
export const casesByTheme: Record<string, Case[]> = {
  "values, paths and escaping": basicCases,
  blocks: blockCases,
  decorators: decoratorCases,
  "built-in helpers": builtInCases,
  "helpers and block parameters": helperCases,
  subexpressions: subexpressionCases,
  partials: partialCases,
  "whitespace control": whitespaceCases,
  "at-variables": dataCases,
  "strict and assumeObjects": strictCases,
  "prototypes and internals": securityCases,
};
