export { bounceSettingsOf, saveBounceSettings, selectBounceSettings } from "./bounce-settings.ts";
export { endSessions } from "./end-sessions.ts";
export { createProject, firstProject, listProjects, renameProject } from "./projects.ts";
export { deleteProjectRow, projectExists, selectProject, updateProject } from "./queries.ts";
export { openSender, saveSmtpSettings, type Sender } from "./smtp-settings.ts";
