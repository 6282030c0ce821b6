export { compileTemplate, renderTemplate } from "./compile-template.ts";
export type { TemplateOptions } from "./compile-template.ts";
export type { CompiledTemplate } from "./engine.ts";
export { TemplateRenderError, TemplateSyntaxError } from "./errors.ts";
export type { RenderLimits } from "./limits.ts";
export { createTemplateCache } from "./template-cache.ts";
export type { TemplateCache } from "./template-cache.ts";
