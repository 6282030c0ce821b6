export { changedSince } from "./changed-since.ts";
export { deletedProject, listAuditEntries, type AuditRow } from "./list-audit-entries.ts";
export { noteListExport } from "./note-export.ts";
export { accountAuditStatement, auditStatement, type AuditAction } from "./record-audit.ts";
