import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Vor dem Senden",
  recheck: "Noch einmal prüfen",
  check: "Wer sie bekommt, und was nicht stimmt",
  arithmetic: "Wer sie bekommt",
  active: "Aktive Empfänger",
  minusSuppressed: "Gesperrt",
  minusConsent: "Ohne Einwilligung",
  minusSoon: "Erst kürzlich angeschrieben",
  total: "Empfänger",
  noProblems: "Kein Problem gefunden.",
  grades: { stop: "Hindernis", warning: "Warnung", hint: "Hinweis" },
  openSettings: "Einstellungen öffnen",
  openHealth: "Zustand des Dienstes ansehen",
  openTemplate: "Vorlage öffnen",
  goToAudience: "Zu den Empfängern",
  goToHtml: "Zum HTML",
  test: "Probe",
  testTo: "An",
  testVariant: "Variante",
  sendTest: "Probe senden",
  seenBy: "Wie drei von ihnen es sehen",
  mailOf: (email) => `Die Mail an ${email}`,
  nobodyToShow:
    "Es gibt noch niemanden, mit dem sie sich zeigen ließe: Unter diesen Empfängern ist niemand aktiv.",
  nothingToShow:
    "Dieser Entwurf hat noch kein HTML. Wähle eine Vorlage, oder schreibe eigenes HTML.",
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
    "Der Dienst fragt danach, weil Empfänger sonst eine kaputte Mail bekämen, oder gar keine.",
  checkFirst: "Zuerst muss sie geprüft werden.",
  schedule: "Planen",
  sendNow: "Jetzt senden",
  sendNowTo: (count) => `Jetzt an ${count} senden`,
  started: "Sie beginnt in 15 Sekunden.",
};
