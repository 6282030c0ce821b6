import { plural } from "../../../lib/format.ts";
import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  dataLead: "Was dieses Projekt enthält und wie es zu einem anderen Dienst umzieht.",
  holds: "Was dieses Projekt enthält",
  kindsOfRows: {
    templates: "Vorlagen",
    template_versions: "Versionen von Vorlagen",
    topics: "Themen",
    subscribers: "Empfänger",
    topic_consents: "Einwilligungen",
    consent_events: "Verlauf der Einwilligungen",
    suppressions: "Sperren",
    segments: "Segmente",
    broadcasts: "Aussendungen",
    broadcast_variants: "Varianten von A/B-Tests",
    mailings: "Zeitpunkte der letzten E-Mails",
    events: "Ereignisse",
    email_log: "E-Mails im Protokoll",
  },
  storage: "Speicher des Dienstes",
  fill: (percent) => `Die Datenbank ist zu ${percent} voll.`,
  fillUnknown: "Die Größe der Datenbank ist noch nicht bekannt.",
  logKept: (days) => `Das Protokoll behält E-Mails ${plural(days, "Tag", "Tage")} lang.`,
  logKeptForEver: "Das Protokoll behält E-Mails für immer.",
  storageLevels: {
    warning:
      "Die Datenbank wird voll. Wer den Dienst betreibt, kann Platz hinzufügen oder das Protokoll kürzen.",
    full: "Es werden keine E-Mails gesendet, bis wieder genug Platz ist.",
  },
  bounds:
    "Ein Projekt enthält bis zu 50 Themen, 200 Segmente und 20 Webhooks, eine Person bis zu 50 Schlagwörter.",
  exportProject: "Export",
  exportWords:
    "Eine komprimierte Datei mit allem außer Geheimnissen, ein JSON-Objekt pro Zeile: Empfänger, Einwilligungen, Sperren, Vorlagen, Segmente, Aussendungen, Protokoll und Einstellungen der Empfänger. Mailserver, Schlüssel, Webhooks und Mitglieder sind nicht dabei. Das Änderungsprotokoll hält den Download fest.",
  downloadExport: "Export herunterladen",
  importProject: "Importieren",
  importProjectWords:
    "Importiert einen Export eines anderen Dienstes in dieses Projekt, das leer sein muss. Es werden keine E-Mails gesendet, und Webhooks bekommen keine Ereignisse.",
  exportFile: "Exportdatei",
  chooseExport: "Wähle zuerst einen Export.",
  noExport: "Das ist kein Export. Wähle die Datei, die „Export herunterladen“ gespeichert hat.",
  exportOf: (project, at) => `Export von ${project} vom ${at}.`,
  uploading: (percent) => `Hochgeladen: ${percent}`,
  writing: "Die Zeilen werden importiert. Lass diese Seite geöffnet.",
  importGoesOn:
    "Wenn der Import abbricht, importiere dieselbe Datei noch einmal: Er macht dort weiter, wo er aufgehört hat, und fügt nichts doppelt hinzu.",
  leaveImport: {
    leaveTitle: "Import anhalten?",
    leaveWords:
      "Der Import läuft nur, solange diese Seite offen ist. Importierte Zeilen bleiben erhalten; importiere dieselbe Datei noch einmal, um den Rest hinzuzufügen.",
    leave: "Anhalten und verlassen",
  },
  imported: "Der Import ist abgeschlossen.",
};
