import runtime from "handlebars/dist/cjs/handlebars.runtime.js";
import { AppError } from "../../errors.ts";
import { cutText } from "../../lib/cut-text.ts";
import { fillText, type Message } from "../../messages/message.ts";
import { REFUSALS } from "../../messages/refusals.ts";
import { templateFault } from "../../messages/templates.ts";

const MAX_MESSAGE_CHARS = 300;

/** A position in a template source: `line` and `column` count from 1. */
export interface TemplatePosition {
  line: number;
  column: number;
}

const SYNTAX = "template_syntax_error";
const RENDERING = "template_render_error";

/** A template that does not compile (400), with the position if known. */
export class TemplateSyntaxError extends AppError {
  readonly position: TemplatePosition | undefined;

  constructor(reason: Message, position?: TemplatePosition) {
    const place = position && templateFault("at_column", { ...position });
    const params = { place: place ?? "", reason: oneLine(reason) };
    super(SYNTAX, fillText(REFUSALS[SYNTAX].text, params), {}, params);
    this.name = "TemplateSyntaxError";
    this.position = position;
  }
}

/** A template that cannot render with the given data, or exceeds the budget (400). */
export class TemplateRenderError extends AppError {
  constructor(reason: Message, cause?: unknown) {
    const params = { reason: oneLine(reason) };
    super(RENDERING, fillText(REFUSALS[RENDERING].text, params), {}, params);
    this.name = "TemplateRenderError";
    this.cause = cause;
  }
}

/**
 * Converts a render error into a TemplateRenderError. Handlebars' own messages are shown to
 * authors; those of the JavaScript engine (a misused value, a stack overflow) are hidden.
 */
export function explainRenderError(error: unknown): TemplateRenderError {
  if (error instanceof TemplateRenderError) return error;
  if (error instanceof RangeError)
    return new TemplateRenderError(templateFault("nests_too_deeply"), error);
  if (error instanceof runtime.Exception)
    return new TemplateRenderError(templateFault("handlebars", { reason: error.message }), error);
  return new TemplateRenderError(templateFault("wrong_value"), error);
}

/**
 * Shortens the texts of a message to one line each, because they may quote template text or data.
 */
function oneLine({ code, params = {}, message }: Message): Message {
  const short = Object.entries(params).map(
    ([name, value]) => [name, typeof value === "string" ? line(value) : value] as const,
  );
  const shown = short.length === 0 ? {} : { params: Object.fromEntries(short) };
  return { code, ...shown, message: line(message) };
}

const line = (text: string) => cutText(text.replace(/[\s\p{Cc}]+/gu, " "), MAX_MESSAGE_CHARS);
