import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Erste Schritte",
  lead: "Sende deine erste E-Mail in etwa zwei Minuten.",
  server: "Mailserver verbinden",
  serverDone: (host) => `E-Mails werden über ${host} verschickt.`,
  change: "Ändern",
  mail: "Dir selbst eine E-Mail senden",
  mailWords: (template, email) =>
    `Die mitgelieferte Vorlage „${template}“ geht mit deinem Namen an ${email}. Du wirst damit selbst zum Empfänger, denn nur bei Empfängern werden Öffnungen gezählt.`,
  send: "Test-E-Mail senden",
  watch: "Zusehen, wie sie ankommt",
  watchIdle: "Noch wurde nichts gesendet.",
  accepted: (server) => `${server} hat die E-Mail angenommen.`,
  acceptedHere: "Der Server hat die E-Mail angenommen.",
  notAccepted: "Der Server hat die E-Mail nicht angenommen.",
  waitingForOpen: "Öffne sie in deinem Postfach. Diese Seite aktualisiert sich von selbst.",
  opened: "Du hast sie geöffnet.",
  localInbox: "Dieser Dienst läuft auf deinem Rechner und stellt in sein eigenes Postfach zu:",
  localInboxLink: "Postfach öffnen",
  codeDoor: "Ich programmiere",
  codeWords: "Erstelle einen Schlüssel und sende mit einem Aufruf.",
  makeKey: "Schlüssel erstellen",
  keyName: "Erste Schritte",
  keyOnce:
    "Kopiere den Schlüssel jetzt: Er wird nur einmal angezeigt. Speichere ihn dort, wo dein Programm ihn lesen kann.",
  keyLabel: "API-Schlüssel",
  snippetLabel: "E-Mail senden",
  listDoor: "Ich habe eine Liste",
  listWords: "Importiere deine Kontakte, schreibe ihnen und sieh, wer die E-Mail öffnet.",
  listLink: "Kontakte importieren",
  bounces: "Rückläufer verarbeiten",
  bouncesWords:
    "E-Mails an Adressen, die es nicht gibt, kommen zurück. Postrider liest Rückläufer aus einem Postfach oder bekommt sie von deinem Anbieter und sendet nicht mehr an diese Adressen.",
  bouncesLink: "Rückläufer einrichten",
  toOverview: "Zum Überblick",
};
