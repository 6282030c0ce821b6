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
    "the stored SMTP password cannot be opened: set ENCRYPTION_KEY_PREVIOUS, or save the SMTP settings again",
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
    "the exported project is or was on this service, and its ids may be in use here",
    "Import the export into another service.",
  ),
  ids_of_other_project: entry(
    409,
    "the file has an id of {kind} that belongs to another project",
    "Import the file as the export wrote it.",
  ),
  topics_being_removed: entry(
    409,
    "the topics of the file are still being removed from this service: repeat the import in a minute",
    "Repeat the import in a minute.",
  ),
  not_a_zip: entry(
    400,
    "the Content-Type must be {type}",
    "Send the zip of an export, with its type.",
  ),
  not_an_export: entry(
    400,
    "the file is no export, or damaged: upload it as the export wrote it",
    "Download the export again, and upload it without unpacking it.",
  ),
  export_incomplete: entry(
    400,
    "the file ends too early: its last part is missing",
    "Download the export again, or repeat the upload.",
  ),
  export_lacks_rows: entry(
    400,
    "the file lacks rows of {kind}, or has too many",
    "Upload the file as the export wrote it.",
  ),
  export_row_too_large: entry(
    400,
    "a row of {kind} is too large",
    "Upload the file as the export wrote it.",
  ),
  export_too_large: entry(
    413,
    "the export is larger than an import may be",
    "Export a part of the project, such as without the log.",
  ),
} as const;
