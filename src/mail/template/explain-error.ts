import type { Environment } from "handlebars/dist/cjs/handlebars.runtime.js";
import { TemplateRenderError, TemplateSyntaxError } from "./errors.ts";

/** Handlebars ends its messages with ` - line:column`, which we say in front. */
const TRAILING_POSITION = / - \d+:\d+$/;

/** Turns what compiling threw into a TemplateSyntaxError; what is no fault of the template stays. */
export function explainCompileError(error: unknown, environment: Environment): unknown {
  if (error instanceof RangeError) return new TemplateSyntaxError("the template is too complex");
  if (!(error instanceof environment.Exception)) return error;
  const reason = error.message.replace(TRAILING_POSITION, "");
  if (error.lineNumber === undefined) return new TemplateSyntaxError(reason);
  return new TemplateSyntaxError(reason, {
    line: error.lineNumber,
    column: (error.column ?? 0) + 1,
  });
}

/**
 * Turns what rendering threw into a TemplateRenderError. Handlebars' own messages are for authors;
 * an engine's (a value used as what it is not, a stack that is full) are not shown.
 */
export function explainRenderError(error: unknown, environment: Environment): TemplateRenderError {
  if (error instanceof TemplateRenderError) return error;
  if (error instanceof RangeError) return new TemplateRenderError("it nests too deeply", error);
  if (error instanceof environment.Exception) return new TemplateRenderError(error.message, error);
  return new TemplateRenderError("a tag uses a value of the wrong type", error);
}
