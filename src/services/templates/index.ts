export { mailTemplate, templateNamed, type MailTemplate } from "./mail-template.ts";
export { selectTemplate, selectTemplateByName, type TemplateRow } from "./queries.ts";
export {
  checkInline,
  renderMail,
  renderOnce,
  type InlineTemplate,
  type RenderedMail,
  type RenderSource,
} from "./render-template.ts";
export {
  createTemplate,
  deleteTemplate,
  firstTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
  type TemplateInput,
} from "./templates.ts";
