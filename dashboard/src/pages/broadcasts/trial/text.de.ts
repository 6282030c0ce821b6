import { plural } from "../../../lib/format.ts";
import type { Translation } from "../../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  trial: "A/B-Test",
  trialWords:
    "Sende mehrere Varianten an einen Teil deiner Empfänger. Die beste geht an alle anderen. Ein A/B-Test wird zu einem Zeitpunkt gesendet, also nicht nach der Zeitzone der Empfänger.",
  addTrial: "A/B-Test hinzufügen",
  addVariant: "Variante hinzufügen",
  asBroadcast: "Wie die Aussendung",
  variantFrom: (letter) => `Absendername ${letter}`,
  variantTemplate: (letter) => `Vorlage ${letter}`,
  removeVariant: (letter) => `Variante ${letter} entfernen`,
  dropTrial: "A/B-Test entfernen",
  variant: (letter) => `Betreff ${letter}`,
  share: "Größe des Tests, in Prozent der Empfänger",
  waitHours: "Dauer des Tests, in Stunden",
  winnerBy: "Gewinner bestimmen nach",
  metrics: {
    opens: "Öffnungen durch Menschen",
    clicks: "Klicks durch Menschen",
    manual: "Meiner eigenen Wahl",
  },
  decidesAt: (at) => `Der Gewinner wird um ${at} gewählt.`,
  decidesLater: "Die Testdauer beginnt, wenn alle im Test die E-Mail haben.",
  decidesByHand: "Alle anderen warten, bis du den Gewinner wählst.",
  trialResult: ({ leader, certainty }) => {
    if (leader === null || certainty === null)
      return "Noch niemand hat eine E-Mail des Tests geöffnet oder angeklickt; über die Varianten ist also nichts bekannt.";
    const chance = `${Math.min(99, Math.floor(certainty * 100))} %`;
    if (certainty >= 0.95) return `${leader} ist mit einer Sicherheit von ${chance} besser.`;
    return certainty >= 0.8
      ? `${leader} ist wahrscheinlich besser (${chance}), aber der Unterschied kann Zufall sein.`
      : `Der Unterschied kann gut Zufall sein: ${leader} ist mit einer Sicherheit von nur ${chance} besser.`;
  },
  winner: "Gewinner",
  leads: "Vorn",
  choose: "Wählen",
  chooseVariant: (letter) => `${letter} wählen`,
  chooseTitle: (letter) => `${letter} an alle anderen senden?`,
  chooseWords:
    "Diese Variante geht an alle, die noch keine bekommen haben. Das lässt sich nicht mehr ändern.",
  mailsOf: (letter, count) => `${plural(count, "E-Mail", "E-Mails")} der Variante ${letter}`,
  trialCounts: { mailed: "Gesendet", opened_human: "Geöffnet", clicked_human: "Angeklickt" },
  remove: "Entfernen",
  subject: "Betreff",
};
