export { auditStatement, type AuditAction, type AuditFact } from "./record-audit.ts";
