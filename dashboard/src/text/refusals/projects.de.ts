import type { PROJECTS } from "../../../../src/messages/refusals/projects.ts";

/** German texts of errors about projects, their export and import (src/messages/refusals). */
export const GERMAN_PROJECTS: Record<keyof typeof PROJECTS, string> = {
  smtp_settings_changed:
    "Die Einstellungen des Mailservers wurden gleichzeitig geändert. Speichere sie noch einmal",
  mail_host_not_allowed: "{field} ist nicht erlaubt: {reason}",
  smtp_password_unreadable:
    "Das gespeicherte SMTP-Passwort lässt sich nicht entschlüsseln. Speichere den Mailserver noch einmal",
  project_not_empty: "Das Projekt ist nicht leer. Importiere in ein neues Projekt",
  other_export_imported:
    "In dieses Projekt wurde schon ein anderer Export importiert. Nimm ein neues Projekt",
  exported_project_known:
    "Das exportierte Projekt ist oder war auf diesem Dienst. Importiere es auf einem anderen",
  ids_of_other_project: "Die Datei hat eine ID von {kind}, die einem anderen Projekt gehört",
  topics_being_removed:
    "Die Themen der Datei werden noch von diesem Dienst entfernt. Importiere in einer Minute noch einmal",
  not_a_zip: "Die Datei muss ein ZIP sein",
  not_an_export: "Die Datei ist kein Export oder beschädigt. Lade sie unverändert hoch",
  export_incomplete: "Die Datei ist unvollständig. Lade den Export noch einmal herunter",
  export_lacks_rows: "Der Datei fehlen Zeilen von {kind}, oder sie hat zu viele",
  export_row_too_large: "Eine Zeile von {kind} ist zu groß",
  export_too_large: "Der Export ist zu groß für einen Import",
};
