import { checkTemplate } from "./check-template.ts";
import { createEngine } from "./engine.ts";
import type { CompiledTemplate } from "./engine.ts";
import type { RenderLimits } from "./limits.ts";

/** `escape`: whether `{{x}}` is escaped for HTML (bodies), or not (subjects and text bodies). */
export interface TemplateOptions {
  escape: boolean;
}

/**
 * Compiles a Handlebars template, all of it and now; throws TemplateSyntaxError (400) with line,
 * column and reason for a template that does not parse or contains a tag that can never render.
 * Source: https://handlebarsjs.com/guide/.
 */
export function compileTemplate(source: string, options: TemplateOptions): CompiledTemplate {
  return createEngine({ noEscape: !options.escape, check: checkTemplate }).compile(source);
}

/**
 * Renders a template with `data` as its root context; a missing variable prints nothing. `data` is
 * what JSON can say: a function in it would be called. Throws TemplateRenderError (400).
 */
export function renderTemplate(
  template: CompiledTemplate,
  data: Record<string, unknown>,
  limits: Partial<RenderLimits> = {},
): string {
  return template.render(data, limits);
}
