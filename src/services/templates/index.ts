export {
  builtInTemplate,
  mailTemplate,
  templateNamed,
  type MailTemplate,
} from "./mail-template.ts";
export { namesUnsubscribe, showsUnsubscribe } from "./names-unsubscribe.ts";
export {
  selectTemplate,
  selectTemplateByName,
  type TemplateRow,
  type TemplateSummary,
} from "./queries.ts";
export {
  checkInline,
  checkTemplate,
  ownSubject,
  renderBodies,
  renderMail,
  renderOnce,
  subjectOf,
  type InlineTemplate,
  type RenderedMail,
  type RenderSource,
  type SubjectOf,
} from "./render-template.ts";
export { requireBody } from "./require-body.ts";
export { createTemplate } from "./create-template.ts";
export { deleteTemplate } from "./delete-template.ts";
export { duplicateTemplate } from "./duplicate-template.ts";
export { firstTemplate, getTemplate, listSummaries, listTemplates } from "./read-templates.ts";
export { getVersion, listVersions } from "./read-versions.ts";
export { deleteSavedBlock, listSavedBlocks, saveBlock } from "./saved-blocks.ts";
export { restoreVersion } from "./restore-version.ts";
export { updateTemplate } from "./update-template.ts";
