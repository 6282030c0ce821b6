/** Tests mail settings step by step, with a remedy for each failure. */
export { diagnoseMailbox } from "./diagnose-imap.ts";
export { type Alternative, SmtpDiagnosis } from "./diagnose-smtp.ts";
export type { Step } from "./step-log.ts";
