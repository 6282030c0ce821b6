import { plural } from "../../../lib/format.ts";
import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  dataLead: "Was dieses Projekt enthält, und wie es zu einem anderen Dienst umzieht.",
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
    email_log: "E-Mails im Protokoll",
  },
  storage: "Speicher des Dienstes",
  fill: (percent) => `Die Datenbank ist zu ${percent} voll.`,
  fillUnknown: "Die Größe der Datenbank ist noch nicht bekannt.",
  logKept: (days) => `Das Protokoll behält E-Mails ${plural(days, "Tag", "Tage")} lang.`,
  logKeptForEver: "Das Protokoll behält E-Mails für immer.",
  storageLevels: {
    warning:
      "Der Platz geht zur Neige. Wer den Dienst betreibt, kann mehr geben oder das Protokoll kürzen.",
    full: "Nichts wird gesendet, bis wieder Platz ist.",
  },
  bounds:
    "Ein Projekt enthält bis zu 50 Themen, 200 Segmente und 20 Webhooks, eine Person bis zu 50 Schlagwörter.",
  exportProject: "Export",
  exportWords:
    "Eine gepackte Datei von allem außer Geheimnissen, ein JSON-Objekt je Zeile: Empfänger, Einwilligungen, Sperren, Vorlagen, Segmente, Aussendungen, Protokoll und Einstellungen der Empfänger. Mailserver, Schlüssel, Webhooks und Mitglieder sind nicht dabei. Das Änderungsprotokoll vermerkt den Abruf.",
  downloadExport: "Export herunterladen",
  importProject: "Importieren",
  importProjectWords:
    "Nimmt den Export eines anderen Dienstes in dieses Projekt auf, das leer sein muss. Keine E-Mail wird gesendet, und kein Webhook erfährt davon.",
  exportFile: "Datei eines Exports",
  chooseExport: "Wähle zuerst einen Export.",
  noExport: "Das ist kein Export: Wähle die Datei, die „Export herunterladen“ gespeichert hat.",
  exportOf: (project, at) => `Ein Export von ${project} vom ${at}.`,
  uploading: (percent) => `Hochgeladen: ${percent}`,
  writing: "Der Dienst schreibt die Zeilen. Lass diese Seite offen.",
  importGoesOn:
    "Brach der Import ab, wähle noch einmal Importieren mit derselben Datei: Er geht weiter, wo er war, und fügt nichts doppelt hinzu.",
  leaveImport: {
    leaveTitle: "Den Import anhalten?",
    leaveWords:
      "Er geht nur weiter, solange diese Seite offen ist. Was importiert ist, bleibt; dieselbe Datei bringt später den Rest.",
    leave: "Anhalten und verlassen",
  },
  imported: "Alles ist da.",
};
