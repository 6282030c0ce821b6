export { EXPORT_FORMAT, EXPORT_VERSION, exportProject } from "./export-project.ts";
export { importProject, type ExportLine } from "./import-project.ts";
export { columnsOf, KINDS, type Kind, type MovedRow } from "./moved-tables.ts";
