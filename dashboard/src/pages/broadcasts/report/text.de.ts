import { plural } from "../../../lib/format.ts";
import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  ofRecipients: (percent) => `${percent} der Empfänger`,
  ofDelivered: (percent) => `${percent} der zugestellten`,
  opensOf: (count, bots) =>
    `${plural(count, "Öffnung", "Öffnungen")}, davon ${bots} durch Bots und E-Mail-Programme`,
  clicksOf: (count, bots) =>
    `${plural(count, "Klick", "Klicks")}, davon ${bots} durch Bots und E-Mail-Programme`,
  recipients: "Empfänger",
  rateHint:
    "Öffnungen und Klicks zählen jede Person einmal. Raten sind Anteile der zugestellten E-Mails.",
  allSettled: (total) => `Alle ${total} verarbeitet`,
  waitsForLimit: (next) => `Wartet auf dein Limit, geht um ${next} weiter`,
  mail: "Die E-Mail",
  mailFrame: "Die gesendete E-Mail",
  from: "Von",
  variant: "Variante",
  noHtml: "Diese E-Mail hat keinen HTML-Teil.",
  clicksOnLink: (count, percent) => `${plural(count, "Klick", "Klicks")} · ${percent}`,
  clicksHint: "Jeder Link zeigt seine Klicks durch Menschen und seinen Anteil an allen Klicks.",
  archive: "Archiv",
  inArchive: "Im öffentlichen Archiv zeigen",
  inArchiveHint:
    "Dort kann sie jeder lesen, ohne die Daten eines Abonnenten. Eine Änderung ist nach höchstens fünf Minuten zu sehen.",
  comparison: "Vergleich",
  comparisonHint: (count) =>
    `Verglichen mit ${plural(count, "Aussendung", "Aussendungen")}. Raten sind Anteile der zugestellten E-Mails; die Rücklaufrate zählt auch die zurückgekommenen.`,
  firstOne: "Es gibt noch keine andere Aussendung zum Vergleich.",
  thisOne: "Diese Aussendung",
  median: "Median",
  delivered: "Zugestellt",
  opened: "Geöffnet",
  clicked: "Angeklickt",
  unsubscribed: "Abgemeldet",
  bounced: "Zurückgekommen",
};
