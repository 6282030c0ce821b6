import { entry } from "./entry.ts";

/** Refusals about the settings and saved blocks of a project, and about its export and import. */
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
  too_many_saved_blocks: entry(
    409,
    "the project already has {max} saved blocks",
    "Delete a saved block that is no longer used.",
  ),
  project_not_empty: entry(
    409,
    "the project is not empty, has imported another export, or has erased an address: import into a new project",
    "Import into a new project.",
  ),
  ids_of_other_project: entry(
    409,
    "the file has an ID of {kind} that another project of this service uses, or that is still being removed",
    "Import into another service, or delete the other project and repeat the import in a few minutes.",
  ),
  automation_active: entry(
    409,
    "an automation of the project is active, and people of the file could enter it: pause it first",
    "Pause the automations of the project, and repeat the import with the same file.",
  ),
  not_an_export: entry(
    400,
    "the file is not an export, or is damaged: upload the exported file unchanged",
    "Download the export again, and upload it without unpacking it.",
  ),
  export_incomplete: entry(
    400,
    "the file is truncated or has been edited: upload the exported file unchanged",
    "Upload the exported file unchanged; if it was cut off, download the export again.",
  ),
} as const;
