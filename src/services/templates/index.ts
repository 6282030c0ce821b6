export { selectTemplate, type TemplateRow } from "./queries.ts";
export { renderMail, type RenderedMail, type RenderSource } from "./render-template.ts";
export {
  createTemplate,
  deleteTemplate,
  firstTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
  type TemplateInput,
} from "./templates.ts";
