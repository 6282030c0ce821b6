export {
  audienceSettingOf,
  audienceSettingsOf,
  saveAudienceSettings,
  type AudienceSettingsChange,
} from "./audience-settings.ts";
export {
  bounceSettingsOf,
  saveBounceSettings,
  selectBounceSettings,
  softBounceLimitOf,
} from "./bounce-settings.ts";
export { saveBrand } from "./brand.ts";
export {
  mailSettingsOf,
  requireSender,
  saveMailSettings,
  type MailSettingsChange,
} from "./mail-settings.ts";
export { changeProject, mergedInto } from "./change-project.ts";
export { endSessions, stopSending } from "./end-sessions.ts";
export { wakeForRuns, wakingSenders, type Woken } from "./wake-after-batch.ts";
export { wakeSenders } from "./wake-senders.ts";
export { createProject } from "./create-project.ts";
export { firstProject } from "./first-project.ts";
export { listProjects } from "./list-projects.ts";
export { projectIs, requireVersion } from "./project-version.ts";
export { renameProject } from "./rename-project.ts";
export {
  MOST_OF_DOMAIN,
  selectProvenProjects,
  selectReturnPathProjects,
  type ReturnPathProject,
} from "./return-path-projects.ts";
export { deleteProjectRow, projectExists, selectProject, updateProject } from "./queries.ts";
export { openSender, type Sender, type SenderAddress } from "./open-sender.ts";
export { saveSmtpSettings } from "./smtp-settings.ts";
export { withSmtpSettings } from "./try-smtp-settings.ts";
export { requireHuman } from "./turnstile.ts";
export { clickIpDays, outlivesAddresses } from "./click-ip-days.ts";
