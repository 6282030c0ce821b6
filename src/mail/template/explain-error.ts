import type { Environment } from "handlebars/dist/cjs/handlebars.runtime.js";
import { TemplateRenderError, TemplateSyntaxError } from "./errors.ts";

/**
 * The ` - line:column` at the end of Handlebars' messages; ours state the position at the start.
 */
const TRAILING_POSITION = / - \d+:\d+$/;

/**
 * Turns a compile error into a TemplateSyntaxError; returns errors that the template did not cause.
 */
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
 * Turns a render error into a TemplateRenderError. Handlebars' own messages reach authors; those of
 * the JavaScript engine (a misused value, a full stack) stay hidden.
 */
export function explainRenderError(error: unknown, environment: Environment): TemplateRenderError {
  if (error instanceof TemplateRenderError) return error;
  if (error instanceof RangeError) return new TemplateRenderError("it nests too deeply", error);
  if (error instanceof environment.Exception) return new TemplateRenderError(error.message, error);
  return new TemplateRenderError("a tag uses a value of the wrong type", error);
}
