import { AppError, reasonOf } from "../../../errors.ts";
import {
  compileTemplate,
  findVariables,
  renderTemplate,
  TemplateSyntaxError,
} from "../../../mail/template/index.ts";
import { contentProblem } from "../../../messages/templates.ts";
import { viewVariables } from "../variables.ts";
import { isKnown } from "./audience.ts";
import { problem, type PartName, type Problem } from "./problems.ts";

/** A part as rendered. Undefined if it does not render. */
export interface RenderedPart {
  text: string | undefined;
  problems: Problem[];
}

/** Renders one part of a template. If it does not render, returns the reason. */
export function renderPart(
  field: PartName,
  source: string,
  data: Record<string, unknown>,
): RenderedPart {
  try {
    const compiled = compileTemplate(source, { escape: field === "html_body" });
    return { text: renderTemplate(compiled, data), problems: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isSyntax = error instanceof TemplateSyntaxError;
    const place = isSyntax ? error.position : undefined;
    const said = contentProblem(isSyntax ? "syntax" : "render", { reason: reasonOf(error) });
    return { text: undefined, problems: [problem(said, field, place)] };
  }
}

/** Finds the variables of a part that its audience does not have, each at its first use. */
export function findUnknown(field: PartName, source: string, known: object): Problem[] {
  const unknown = findVariables(source).filter(({ path }) => !isKnown(known, path));
  const first = new Map(unknown.toReversed().map((use) => [use.path.join("."), use]));
  return [...first]
    .map(([name, use]) => {
      const code = Object.hasOwn(viewVariables(""), name) ? "broadcasts_only" : "unknown_variable";
      return problem(contentProblem(code, { name }), field, use);
    })
    .toReversed();
}
