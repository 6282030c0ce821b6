export {
  END_FILE,
  EXPORT_FORMAT,
  EXPORT_VERSION,
  exportProject,
  MANIFEST_FILE,
  SETTINGS_FILE,
} from "./export-project.ts";
export { importProject, type MovedFile } from "./import-project.ts";
export { KINDS, type Kind } from "./kinds.ts";
