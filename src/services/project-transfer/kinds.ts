/**
 * The rows of a project that move with it, in the order of the file. A kind has the name of its
 * table unless it names one. The email log is missing here: only its own room names its tables. A
 * later version adds kinds, which an earlier one leaves out, and no columns, which it refuses.
 */
export const TABLE_KINDS = [
  // An import that breaks off has these before anybody whom a project could mail.
  "suppressions",
  "templates",
  "template_versions",
  "topics",
  "subscribers",
  "topic_consents",
  "consent_events",
  "segments",
  // A draft that starts meanwhile is a broadcast by then: the next kind has it, too.
  "drafts",
  "broadcasts",
  "broadcast_variants",
  "mailings",
  "retries",
  "plans",
] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** The A/B tests of broadcasts, whose variants are restored before them. */
export const AB_TEST_KIND = "trials";
export const LOG_KIND = "email_log";
export const KINDS = [...TABLE_KINDS, AB_TEST_KIND, LOG_KIND] as const;
export type Kind = (typeof KINDS)[number];

/** A row as a file has it: columns by name, times in milliseconds since 1970. */
export type MovedRow = Record<string, unknown>;
