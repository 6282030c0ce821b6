/** Tables that one room alone reads and writes. No other file names them but the schema. */
export const TABLES_OF: Record<string, readonly string[]> = {
  "src/services/email-log": ["log_entries", "log_subjects", "email_clicks", "rollups"],
  "src/services/email-log/rollups": [
    "insert into rollups",
    "update rollups",
    "delete from rollups",
  ],
};
