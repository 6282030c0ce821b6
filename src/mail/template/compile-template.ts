import { createEngine } from "./engine.ts";
import type { CompiledTemplate } from "./engine.ts";
import type { RenderLimits } from "./limits.ts";

/** `escape` is true for HTML bodies, where `{{x}}` is escaped, and false for subjects and text. */
export interface TemplateOptions {
  escape: boolean;
}

const HTML_ENGINE = createEngine({ knownHelpersOnly: true });
const TEXT_ENGINE = createEngine({ knownHelpersOnly: true, noEscape: true });

/**
 * Compiles a Handlebars template eagerly. Throws TemplateSyntaxError (400) with line, column and
 * reason for a template that does not parse or has a tag that can never render. Source:
 * https://handlebarsjs.com/guide/.
 */
export function compileTemplate(source: string, { escape }: TemplateOptions): CompiledTemplate {
  return (escape ? HTML_ENGINE : TEXT_ENGINE).compile(source);
}

/**
 * Renders a template with `data` as its root context; a missing variable prints nothing. `data`
 * must contain only JSON values, because the runtime would call a function in it. Throws
 * TemplateRenderError (400).
 */
export function renderTemplate(
  template: CompiledTemplate,
  data: Record<string, unknown>,
  limits: Partial<RenderLimits> = {},
): string {
  return template.render(data, limits);
}
