export { createProject, listProjects, renameProject } from "./projects.ts";
export { deleteProjectRow, projectExists, selectProject } from "./queries.ts";
export { openSender, saveSmtpSettings, type Sender } from "./smtp-settings.ts";
