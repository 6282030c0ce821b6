import type { Environment } from "handlebars/dist/cjs/handlebars.runtime.js";
import type { Message } from "../../messages/message.ts";
import { templateFault } from "../../messages/templates.ts";
import { TemplateRenderError, TemplateSyntaxError } from "./errors.ts";

/** The ` - line:column` at the end of Handlebars' messages; ours put the position first. */
const TRAILING_POSITION = / - \d+:\d+$/;

/** Handlebars' message for a block closed by another name. */
const OTHER_BLOCK = /^([^]+) doesn't match ([^]+)$/;

function readReason(reason: string): Message {
  const [, open, close] = OTHER_BLOCK.exec(reason) ?? [];
  return open === undefined || close === undefined
    ? templateFault("handlebars", { reason })
    : templateFault("other_block_closed", { open, close });
}

/**
 * Converts a compile error into a TemplateSyntaxError; returns errors that the template did not
 * cause.
 */
export function explainCompileError(error: unknown, environment: Environment): unknown {
  if (error instanceof RangeError)
    return new TemplateSyntaxError(templateFault("template_too_complex"));
  if (!(error instanceof environment.Exception)) return error;
  const reason = readReason(error.message.replace(TRAILING_POSITION, ""));
  if (error.lineNumber === undefined) return new TemplateSyntaxError(reason);
  return new TemplateSyntaxError(reason, {
    line: error.lineNumber,
    column: (error.column ?? 0) + 1,
  });
}

/**
 * Converts a render error into a TemplateRenderError. Handlebars' own messages are shown to
 * authors; those of the JavaScript engine (a misused value, a stack overflow) are hidden.
 */
export function explainRenderError(error: unknown, environment: Environment): TemplateRenderError {
  if (error instanceof TemplateRenderError) return error;
  if (error instanceof RangeError)
    return new TemplateRenderError(templateFault("nests_too_deeply"), error);
  if (error instanceof environment.Exception)
    return new TemplateRenderError(readReason(error.message), error);
  return new TemplateRenderError(templateFault("wrong_value"), error);
}
