/** Tests mail settings step by step and says what to change. */
export { diagnoseMailbox } from "./diagnose-imap.ts";
export { type Alternative, SmtpDiagnosis } from "./diagnose-smtp.ts";
export type { Step } from "./step-log.ts";
