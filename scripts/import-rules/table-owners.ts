/**
 * Tables that only one module may read and write. Apart from the schema, no other file names them.
 */
export const TABLES_OF: Record<string, readonly string[]> = {
  "src/services/email-log": [
    "log_entries",
    "log_subjects",
    "email_clicks",
    "open_hours",
    "rollups",
  ],
  "src/services/email-log/rollups": [
    "insert into rollups",
    "update rollups",
    "delete from rollups",
  ],
};
