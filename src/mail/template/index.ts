export { compileTemplate, renderTemplate } from "./compile-template.ts";
export { TemplateRenderError, TemplateSyntaxError } from "./errors.ts";
export { findVariables } from "./find-variables.ts";
export type { RenderLimits } from "./limits.ts";
export { createTemplateCache } from "./template-cache.ts";
