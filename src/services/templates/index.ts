export { mailTemplate, templateNamed, type MailTemplate } from "./mail-template.ts";
export { selectTemplate, selectTemplateByName, type TemplateRow } from "./queries.ts";
export {
  checkInline,
  compileSubject,
  ownSubject,
  renderBodies,
  renderMail,
  renderOnce,
  type RenderedMail,
  type SubjectOf,
} from "./render-template.ts";
export {
  createTemplate,
  deleteTemplate,
  firstTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from "./templates.ts";
