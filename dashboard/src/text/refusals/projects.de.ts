import type { PROJECTS } from "../../../../src/messages/refusals/projects.ts";

/** German texts of errors about projects, their export and import (src/messages/refusals). */
export const GERMAN_PROJECTS: Record<keyof typeof PROJECTS, string> = {
  smtp_settings_changed:
    "Die Einstellungen des Mailservers wurden gleichzeitig geändert. Speichere sie noch einmal",
  mail_host_not_allowed: "{field} ist nicht erlaubt: {reason}",
  smtp_password_unreadable:
    "Das gespeicherte SMTP-Passwort lässt sich nicht entschlüsseln. Speichere den Mailserver noch einmal",
  too_many_saved_blocks: "Das Projekt hat schon {max} gespeicherte Blöcke",
  project_not_empty:
    "Das Projekt ist nicht leer, hat einen anderen Export importiert oder eine Adresse gelöscht. Importiere in ein neues Projekt",
  ids_of_other_project:
    "Die Datei hat eine ID von {kind}, die ein anderes Projekt dieses Dienstes benutzt oder die noch entfernt wird",
  automation_active:
    "Eine Automation des Projekts ist aktiv, und Personen der Datei könnten in sie eintreten. Pausiere sie zuerst",
  not_an_export: "Die Datei ist kein Export oder beschädigt. Lade sie unverändert hoch",
  export_incomplete:
    "Die Datei ist abgeschnitten oder verändert. Lade die exportierte Datei unverändert hoch",
};
