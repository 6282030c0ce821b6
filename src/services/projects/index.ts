export { createProject, deleteProject, listProjects, renameProject } from "./projects.ts";
export { continuePurges } from "./purge-project.ts";
export { projectExists, selectProject } from "./queries.ts";
export { openSender, saveSmtpSettings, type Sender } from "./smtp-settings.ts";
