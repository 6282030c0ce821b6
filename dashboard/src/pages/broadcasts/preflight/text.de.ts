import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Prüfen und senden",
  recheck: "Noch einmal prüfen",
  check: "Empfänger und Prüfungen",
  arithmetic: "Wer sie bekommt",
  active: "Aktive Empfänger",
  minusSuppressed: "Gesperrt",
  minusConsent: "Ohne Einwilligung",
  minusSoon: "Erst kürzlich angeschrieben",
  total: "Empfänger",
  noProblems: "Kein Problem gefunden.",
  grades: { stop: "Hindernis", warning: "Warnung", hint: "Hinweis" },
  openSettings: "Einstellungen öffnen",
  openOther: "Diese Aussendung öffnen",
  openHealth: "Zustand des Dienstes ansehen",
  openTemplate: "Vorlage öffnen",
  goToMail: "Zur Mail",
  goToPeople: "Zu den Empfängern",
  goToTime: "Zur Zeit",
  test: "Testmail",
  testTo: "An",
  testVariant: "Variante",
  sendTest: "Testmail senden",
  seenBy: "Vorschau für drei Empfänger",
  mailOf: (email) => `Die Mail an ${email}`,
  nobodyToShow:
    "Es gibt noch niemanden, mit dem sie sich zeigen ließe: Unter diesen Empfängern ist niemand aktiv.",
  nothingToShow: "Dieser Entwurf hat noch keine Mail. Wähle eine Vorlage, oder schreibe eine.",
  seenByVariant: "So sehen es alle, die Variante A bekommen.",
  seenByResend:
    "Das sind Beispiele aus allen Empfängern. Manche davon bekommen diese Wiederholung vielleicht nicht.",
  start: "Senden",
  planned: (at) => `Geplant für ${at}.`,
  expected: (minutes, cost, size) =>
    `Etwa ${minutes} Min., ${cost} an Cloudflare, ${size} Protokoll.`,
  undoLater: "Bis 15 Sekunden nach dem Start kannst du es zurücknehmen.",
  accept: "Ich habe die Hindernisse gelesen und sende trotzdem",
  acceptFirst: "Bestätige zuerst, dass du die Hindernisse gelesen hast.",
  acceptHint:
    "Der Dienst fragt nach, weil Empfänger eine kaputte Mail, dieselbe Mail zweimal oder gar keine bekommen könnten.",
  checkFirst: "Zuerst muss die Prüfung fertig sein.",
  schedule: "Planen",
  sendNow: "Jetzt senden",
  sendNowTo: (count) => `Jetzt an ${count} senden`,
  started: "Das Senden beginnt in 15 Sekunden.",
};
