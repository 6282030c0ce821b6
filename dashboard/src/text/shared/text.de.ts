import { plural } from "../../lib/format.ts";
import type { Translation } from "../define-text.ts";
import "../messages.de.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  whichCredential: "Welcher Zugang für welchen Aufruf",
  save: "Speichern",
  cancel: "Abbrechen",
  close: "Schließen",
  delete: "Löschen",
  undo: "Rückgängig",
  snippetLanguage: "Sprache des Beispiels",
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Der Browser erlaubt das Kopieren hier nicht. Markiere den Text und drücke Strg+C.",
  chooseFile: "Datei wählen",
  search: "Suchen",
  clear: "Zurücksetzen",
  any: "Alle",
  downloadCsv: "Als CSV herunterladen",
  tryAgain: "Erneut versuchen",
  loading: "Lädt …",
  backToStart: "Zur Startseite",
  firstPage: "Erste Seite",
  nextPage: "Nächste Seite",
  previousPage: "Vorige Seite",
  emptiedPage: "Diese Seite ist inzwischen leer",
  emptiedPageWords:
    "Die Einträge dieser Seite gibt es nicht mehr. Fang auf der ersten Seite neu an.",
  rowsTotal: (count) => `${count} insgesamt`,
  yes: "Ja",
  no: "Nein",
  never: "Nie",
  optional: "optional",
  typeToConfirm: (name) => `Gib zur Bestätigung „${name}“ ein.`,
  cannotBeUndone: "Das lässt sich nicht rückgängig machen.",
  leftWaiting:
    "Der Dienst hat noch nicht geantwortet. Die Aktion kann also noch wirksam werden: Lade die Seite neu, um das zu prüfen.",
  login: "Anmelden",
  more: "Weitere Optionen",
  notFoundTitle: "Seite nicht gefunden",
  notFoundWords: "Diese Seite gibt es nicht, oder ihr Inhalt wurde gelöscht.",
  errorTitle: "Das hat nicht geklappt",
  errorNetwork:
    "Der Dienst antwortet nicht. Prüfe deine Verbindung; deine Eingaben bleiben erhalten.",
  errorSession: "Deine Sitzung ist abgelaufen. Melde dich neu an; deine Eingaben bleiben erhalten.",
  noAnswer: "Der Dienst hat nicht geantwortet.",
  failedBehind: (why) => `Eine Aktion auf einer früheren Seite ist fehlgeschlagen: ${why}`,
  errorConflict: "Jemand anders hat das inzwischen geändert.",
  errorRate: (seconds) =>
    `Zu viele Anfragen. Versuche es in ${plural(seconds, "Sekunde", "Sekunden")} noch einmal.`,
  errorRateSoon: "Zu viele Anfragen. Versuche es in einer Minute noch einmal.",
  errorInternal: "Im Dienst ist ein Fehler aufgetreten. Sein Protokoll nennt die Einzelheiten.",
  mayNot: (role, workspace) =>
    `Deine Rolle in ${workspace} ist ${role}, du kannst diese Seite also nur ansehen. Ein Inhaber kann deine Rolle ändern.`,
  mayNotShort: (role) => `Deine Rolle ist ${role} und erlaubt das nicht.`,
  licenceNeeded: (feature) =>
    `Dafür ist eine Lizenz für ${feature} nötig. Wer den Dienst betreibt, kann sie mit npm run deploy signieren.`,
  roleNames: {
    owner: "Inhaber",
    admin: "Administrator",
    developer: "Entwickler",
    member: "Mitglied",
    viewer: "Leser",
  },
  statusNames: {
    sent: "Zugestellt",
    failed: "Fehlgeschlagen",
    bounced: "Zurückgekommen",
    suppressed: "Gesperrt",
    scheduled: "Geplant",
  },
};
