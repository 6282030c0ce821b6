import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Erste Schritte",
  lead: "Sende deine erste Mail, in etwa zwei Minuten.",
  server: "Einen Mailserver verbinden",
  serverDone: (host) => `Mails werden über ${host} verschickt.`,
  change: "Ändern",
  mail: "Dir selbst eine Mail schicken",
  mailWords: (template, email) =>
    `Die mitgelieferte Vorlage „${template}“ geht mit deinem Namen an ${email}. Du kommst damit auf die Liste deiner Empfänger, denn nur bei ihnen wird das Öffnen gezählt.`,
  send: "Senden",
  watch: "Sehen, wie sie ankommt",
  watchIdle: "Noch ist nichts gesendet.",
  accepted: (server) => `${server} hat die Mail angenommen.`,
  acceptedHere: "Der Server hat die Mail angenommen.",
  notAccepted: "Der Server hat die Mail nicht angenommen.",
  waitingForOpen: "Öffne sie in deinem Postfach. Diese Seite bemerkt es.",
  opened: "Du hast sie geöffnet.",
  localInbox: "Dieser Dienst läuft auf deinem Rechner und sendet an sein eigenes Postfach:",
  localInboxLink: "Postfach öffnen",
  codeDoor: "Ich programmiere",
  codeWords: "Lege einen Schlüssel an und sende mit einem Aufruf.",
  makeKey: "Schlüssel anlegen",
  keyName: "Erste Schritte",
  keyOnce:
    "Der Schlüssel wird nur dieses eine Mal gezeigt. Bewahre ihn dort auf, wo dein Programm ihn liest.",
  keyLabel: "API-Schlüssel",
  curlLabel: "Eine Mail mit curl",
  listDoor: "Ich habe eine Liste",
  listWords: "Importiere deine Empfänger, schreibe ihnen und sieh, wer gelesen hat.",
  listLink: "Kontakte importieren",
  bounces: "Mit Rückläufern umgehen",
  bouncesWords:
    "Adressen, die es nicht gibt, kommen zurück. Postrider liest das aus einem Postfach oder von deinem Anbieter und schreibt ihnen nicht mehr.",
  bouncesLink: "Rückläufer einrichten",
  toOverview: "Zum Überblick",
};
