/**
 * The exported rows of a project, in the order of the file. A kind has the name of its table unless
 * it specifies one. The email log is not listed here, because only its own module names its tables.
 * A later version adds kinds, which an earlier one skips, but no columns, which it rejects.
 */
export const TABLE_KINDS = [
  // First, so that an interrupted import has suppressions before any address that could be mailed.
  "suppressions",
  "templates",
  "template_versions",
  "topics",
  "subscribers",
  "topic_consents",
  "consent_events",
  "segments",
  // A draft that starts during the export becomes a broadcast, so the next kind contains it as
  // well.
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

/** A row as stored in a file: columns by name, times in milliseconds since 1970. */
export type MovedRow = Record<string, unknown>;
