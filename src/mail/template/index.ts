export { compileTemplate, renderTemplate } from "./compile-template.ts";
export { TemplateRenderError, TemplateSyntaxError } from "./errors.ts";
export { findVariables } from "./find-variables.ts";
export type { RenderLimits } from "./limits.ts";
export { printsConfirmation, printsOneOf } from "./prints-variable.ts";
export { createTemplateCache } from "./template-cache.ts";
