import { plural } from "../../lib/format.ts";
import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Sperrliste",
  lead: "Adressen, an die dieses Projekt nie E-Mails sendet.",
  add: "Adressen hinzufügen",
  email: "E-Mail",
  reason: "Grund",
  reasons: {
    hard_bounce: "Adresse gibt es nicht (Hard Bounce)",
    unsubscribed: "Abgemeldet oder beschwert",
    manual: "Von Hand hinzugefügt",
  },
  source: "Herkunft",
  since: "Seit",
  lastSeen: "Zuletzt verhinderter Versand",
  neverSeen: "Noch keiner",
  remove: "Entfernen",
  removeTitle: (email) => `E-Mails an ${email} wieder erlauben?`,
  removeWords: {
    hard_bounce:
      "Der Server hat E-Mails endgültig abgewiesen. Wenn er das immer noch tut, kommt die nächste zurück und schadet deiner Reputation.",
    unsubscribed:
      "Die Person wollte keine E-Mails mehr. Entferne den Eintrag nur, wenn sie darum gebeten hat.",
    manual: "Jemand aus deinem Team hat sie hinzugefügt.",
  },
  removed: (email) => `E-Mails an ${email} sind wieder erlaubt.`,
  notPutBack: (email, why) => `${email} ließ sich nicht wieder auf die Liste setzen: ${why}`,
  none: "Keine gesperrten Adressen",
  noneWords:
    "Nach Hard Bounces und Beschwerden kommen Adressen hierher. Du kannst auch selbst Adressen hinzufügen.",
  noMatch: "Keine Treffer",
  noMatchWords: "Suche nach der ganzen Adresse oder setze die Filter zurück.",
  addresses: "Adressen, eine pro Zeile",
  addressesHint: (most) =>
    `Bis zu ${most}. Adressen, die schon auf der Liste stehen, werden übersprungen.`,
  sourceHint: "Eine kurze Notiz für dein Team, warum du sie hinzufügst.",
  added: (added, skipped) =>
    `${plural(added, "Adresse", "Adressen")} hinzugefügt, ${plural(skipped, "war", "waren")} schon da.`,
  rejected: "Das sind keine E-Mail-Adressen:",
  unverified: "Ungeprüfte Meldungen",
  unverifiedLead:
    "Diese Meldungen beweisen nicht, dass es um E-Mails von dir geht, und haben deshalb keine Adresse gesperrt. Prüfe sie und entscheide.",
  noUnverified: "Keine Meldungen zu prüfen",
  noUnverifiedWords:
    "Hier erscheint eine Meldung, die eine Adresse nennt, aber keine E-Mail beweist, die du gesendet hast.",
  kinds: { bounce: "Rückläufer", complaint: "Beschwerde" },
  words: "Die Antwort des Servers",
  reports: "Meldungen",
  newest: "Neueste",
  chosen: "Auswahl",
  suppress: (count) =>
    count === 0 ? "Ausgewählte sperren" : `${plural(count, "Adresse", "Adressen")} sperren`,
  chooseOne: "Wähle zuerst eine Adresse aus.",
  choose: (email) => `${email} auswählen`,
  suppressed: (count) => `${plural(count, "Adresse", "Adressen")} gesperrt.`,
  toMail: "E-Mail ansehen",
  back: "Zurück zur Liste",
};
