import { plural } from "../../../lib/format.ts";
import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  ofRecipients: (percent) => `${percent} der Empfänger`,
  ofDelivered: (percent) => `${percent} der zugestellten`,
  opensOf: (count, bots) =>
    `${plural(count, "Öffnung", "Öffnungen")}, davon ${bots} durch Bots und Mailprogramme`,
  clicksOf: (count, bots) =>
    `${plural(count, "Klick", "Klicks")}, davon ${bots} durch Bots und Mailprogramme`,
  rateHint:
    "Öffnungen und Klicks zählen Menschen, jeden einmal. Raten sind Anteile der zugestellten Mails.",
  allSettled: (total) => `Alle ${total} erledigt`,
  waitsForLimit: (next) => `Wartet auf dein Limit, weiter um ${next}`,
  mail: "Die Mail",
  mailFrame: "Die gesendete Mail",
  from: "Von",
  variant: "Variante",
  noHtml: "Diese Mail hat keinen HTML-Teil.",
  clicksOnLink: (count, percent) => `${plural(count, "Klick", "Klicks")} · ${percent}`,
  clicksHint: "Jeder Link zeigt seine Klicks durch Menschen und seinen Anteil an allen Klicks.",
  comparison: "Vergleich",
  comparisonHint: (count) =>
    `Verglichen mit ${plural(count, "Aussendung", "Aussendungen")}. Raten sind Anteile der zugestellten Mails; Rückläufer, der zugestellten und zurückgekommenen.`,
  firstOne: "Noch gibt es keine andere Aussendung zum Vergleich.",
  thisOne: "Diese Aussendung",
  median: "Mittel (Median)",
  delivered: "Zugestellt",
  opened: "Geöffnet",
  clicked: "Angeklickt",
  unsubscribed: "Abgemeldet",
  bounced: "Zurückgekommen",
};
