import { AppError } from "../../errors.ts";
import { cutText } from "../../lib/cut-text.ts";

const MAX_MESSAGE_CHARS = 300;

/** A position in a template source: `line` and `column` count from 1. */
export interface TemplatePosition {
  line: number;
  column?: number;
}

/** A template that does not compile (400), with the position if known. */
export class TemplateSyntaxError extends AppError {
  readonly position: TemplatePosition | undefined;

  constructor(reason: string, position?: TemplatePosition) {
    const said = oneLine(reason);
    const message = `template syntax error${describePosition(position)}: ${said}`;
    super("template_syntax_error", message, {}, { reason: said, ...position });
    this.name = "TemplateSyntaxError";
    this.position = position;
  }
}

/** A template that cannot render with the given data, or costs too much (400). */
export class TemplateRenderError extends AppError {
  constructor(reason: string, cause?: unknown) {
    const said = oneLine(reason);
    super("template_render_error", `template could not be rendered: ${said}`, {}, { reason: said });
    this.name = "TemplateRenderError";
    this.cause = cause;
  }
}

function describePosition(position: TemplatePosition | undefined): string {
  if (position === undefined) return "";
  const column = position.column === undefined ? "" : `, column ${position.column}`;
  return ` at line ${position.line}${column}`;
}

/** Shortens a message to one line, since it may quote template text or data. */
function oneLine(text: string): string {
  return cutText(text.replace(/[\s\p{Cc}]+/gu, " "), MAX_MESSAGE_CHARS);
}
