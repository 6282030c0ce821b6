import { plural } from "../../../lib/format.ts";
import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  dataLead: "Was dieses Projekt enthält, und wie es zu einem anderen Dienst umzieht.",
  holds: "Was dieses Projekt enthält",
  kindsOfRows: {
    templates: "Vorlagen",
    template_versions: "Fassungen von Vorlagen",
    topics: "Themen",
    subscribers: "Empfänger",
    topic_consents: "Einwilligungen",
    consent_events: "Verlauf der Einwilligungen",
    suppressions: "Sperren",
    segments: "Segmente",
    broadcasts: "Aussendungen",
    drafts: "Entwürfe",
    broadcast_variants: "Varianten von A/B-Tests",
    mailings: "Zeitpunkte der letzten Mails",
    retries: "Wiederholte Aussendungen",
    plans: "Pläne von Aussendungen",
    trials: "Ergebnisse von A/B-Tests",
    email_log: "Mails im Protokoll",
  },
  storage: "Speicher des Dienstes",
  fill: (percent) => `Die Datenbank ist zu ${percent} voll.`,
  fillUnknown: "Die Größe der Datenbank ist noch nicht bekannt.",
  logKept: (days) => `Das Protokoll behält Mails ${plural(days, "Tag", "Tage")} lang.`,
  logKeptForEver: "Das Protokoll behält Mails für immer.",
  storageLevels: {
    warning:
      "Der Platz geht zur Neige. Wer den Dienst betreibt, kann mehr geben oder das Protokoll kürzen.",
    full: "Nichts wird gesendet, bis wieder Platz ist.",
  },
  bounds:
    "Ein Projekt enthält bis zu 50 Themen, 200 Segmente und 20 Webhooks, eine Person bis zu 50 Schlagwörter.",
  exportProject: "Export",
  exportWords:
    "Ein Zip von allem außer Geheimnissen: Einstellungen, Vorlagen, Empfänger, Einwilligungen, Sperren, Segmente, Aussendungen und Protokoll, ein JSON-Objekt je Zeile. Schlüssel, Webhooks und Mitglieder sind nicht dabei. Das Änderungsprotokoll vermerkt den Abruf.",
  downloadExport: "Export herunterladen",
  importProject: "Importieren",
  importProjectWords:
    "Nimmt den Export eines anderen Dienstes in dieses Projekt auf, das leer sein muss. Zuerst siehst du, was die Datei enthält. Keine Mail wird gesendet, und kein Webhook erfährt davon.",
  exportFile: "Zip eines Exports",
  chooseExport: "Wähle zuerst einen Export.",
  noExport: "Das ist kein vollständiger Export: eine andere Datei, oder sie wurde abgeschnitten.",
  exportOf: (at) => `Ein Export vom ${at}. Er enthält:`,
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
  importedBut: (kinds) =>
    `Der Import ist fertig. Zeilen, die diese Version nicht kennt, fehlen: ${kinds}.`,
};
