export { deleteProject } from "./delete-project.ts";
export { continuePurges } from "./purge-project.ts";
