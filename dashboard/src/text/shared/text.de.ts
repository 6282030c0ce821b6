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
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Der Browser erlaubt das Kopieren hier nicht. Markiere den Text und drücke Strg C.",
  search: "Suchen",
  clear: "Zurücksetzen",
  any: "alle",
  downloadCsv: "Als CSV herunterladen",
  tryAgain: "Noch einmal versuchen",
  loading: "Lädt …",
  backToStart: "Zur Startseite",
  firstPage: "Erste Seite",
  nextPage: "Nächste Seite",
  previousPage: "Vorige Seite",
  emptiedPage: "Diese Seite ist inzwischen leer",
  emptiedPageWords: "Was hier stand, ist nicht mehr da. Die Liste beginnt auf der ersten Seite.",
  rowsTotal: (count) => `${count} insgesamt`,
  yes: "Ja",
  no: "Nein",
  never: "nie",
  optional: "optional",
  typeToConfirm: (name) => `Zur Bestätigung „${name}“ eintippen.`,
  cannotBeUndone: "Das lässt sich nicht rückgängig machen.",
  leftWaiting:
    "Der Dienst hatte noch nicht geantwortet; es kann also noch geschehen. Lade die Seite neu, um nachzusehen.",
  login: "Anmelden",
  more: "Weitere Optionen",
  notFoundTitle: "Hier ist nichts",
  notFoundWords: "Die Adresse führt zu keiner Seite, oder das Genannte wurde gelöscht.",
  errorTitle: "Das hat nicht geklappt",
  errorNetwork: "Der Dienst antwortet nicht. Prüfe die Verbindung; deine Eingaben sind noch da.",
  errorSession: "Die Sitzung ist zu Ende. Melde dich neu an; deine Eingaben sind noch da.",
  noAnswer: "Der Dienst hat nicht geantwortet.",
  failedBehind: (why) => `Was du auf einer früheren Seite begonnen hast, schlug fehl: ${why}`,
  errorConflict: "Es wurde inzwischen geändert.",
  errorRate: (seconds) =>
    `Das war zu viel auf einmal. Versuche es in ${plural(seconds, "Sekunde", "Sekunden")} wieder.`,
  errorRateSoon: "Das war zu viel auf einmal. Versuche es in einer Minute wieder.",
  errorInternal: "Der Dienst hat einen Fehler. Sein Protokoll sagt mehr.",
  mayNot: (role, workspace) =>
    `Deine Rolle in ${workspace} ist ${role}; sie darf hier nur lesen. Ein Inhaber kann das ändern.`,
  mayNotShort: (role) => `Deine Rolle ist ${role}; sie darf das nicht.`,
  licenceNeeded: (feature) =>
    `Das braucht eine Lizenz für ${feature}. Wer den Dienst betreibt, signiert sie mit npm run deploy.`,
  roleNames: {
    owner: "Inhaber",
    admin: "Verwalter",
    developer: "Entwickler",
    member: "Mitglied",
    viewer: "Leser",
  },
  statusNames: {
    sent: "gesendet",
    failed: "fehlgeschlagen",
    bounced: "zurückgekommen",
    suppressed: "gesperrt",
  },
};
