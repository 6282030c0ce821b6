export { deleteProject } from "./delete-project.ts";
export { continuePurges } from "./continue-purges.ts";
