export { mailTemplate, templateNamed, type MailTemplate } from "./mail-template.ts";
export { namesUnsubscribe } from "./names-unsubscribe.ts";
export { selectTemplate, selectTemplateByName, type TemplateRow } from "./queries.ts";
export {
  checkInline,
  ownSubject,
  renderBodies,
  renderMail,
  renderOnce,
  subjectOf,
  type RenderedMail,
  type RenderSource,
  type SubjectOf,
} from "./render-template.ts";
export { requireBody } from "./require-body.ts";
export { createTemplate } from "./create-template.ts";
export { deleteTemplate } from "./delete-template.ts";
export { firstTemplate, getTemplate, listTemplates } from "./read-templates.ts";
export { updateTemplate } from "./update-template.ts";
