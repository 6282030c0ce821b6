import { entry } from "./entry.ts";

/** Refusals about the settings of a project, and about its export and import. */
export const PROJECTS = {
  smtp_settings_changed: entry(
    409,
    "the SMTP settings changed at the same time: save them again",
    "Read the settings and save them again.",
  ),
  mail_host_not_allowed: entry(
    400,
    "{field} is not allowed: {reason}",
    "Save another mail server in the settings of the project.",
  ),
  smtp_password_unreadable: entry(
    503,
    "the stored SMTP password cannot be decrypted: set ENCRYPTION_KEY_PREVIOUS, or save the SMTP settings again",
    "Set ENCRYPTION_KEY_PREVIOUS to the earlier key, or save the password again.",
  ),
  project_not_empty: entry(
    409,
    "the project is not empty: import into a new project",
    "Import into a new project.",
  ),
  other_export_imported: entry(
    409,
    "another export was imported into this project: import this one into a new project",
    "Import into a new project.",
  ),
  exported_project_known: entry(
    409,
    "the exported project is or was on this service, and its IDs may be in use here",
    "Import the export into another service.",
  ),
  ids_of_other_project: entry(
    409,
    "the file has an ID of {kind} that belongs to another project",
    "Import the exported file unchanged.",
  ),
  topics_being_removed: entry(
    409,
    "the topics of the file are still being removed from this service: repeat the import in a minute",
    "Repeat the import in a minute.",
  ),
  not_a_zip: entry(
    400,
    "the Content-Type must be {type}",
    "Send the ZIP file of an export, with this Content-Type.",
  ),
  not_an_export: entry(
    400,
    "the file is not an export, or is damaged: upload the exported file unchanged",
    "Download the export again, and upload it without unpacking it.",
  ),
  export_incomplete: entry(
    400,
    "the file is truncated: its last part is missing",
    "Download the export again, or repeat the upload.",
  ),
  export_lacks_rows: entry(
    400,
    "the file has too few or too many rows of {kind}",
    "Upload the exported file unchanged.",
  ),
  export_row_too_large: entry(
    400,
    "a row of {kind} is too large",
    "Upload the exported file unchanged.",
  ),
  export_too_large: entry(
    413,
    "the export exceeds the size limit of an import",
    "Export only part of the project, such as everything but the log.",
  ),
} as const;
