import { plural } from "../../lib/format.ts";
import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Sperrliste",
  lead: "An diese Adressen geht keine E-Mail dieses Projekts, wer sie auch sendet.",
  add: "Adressen hinzufügen",
  email: "E-Mail",
  reason: "Grund",
  reasons: {
    hard_bounce: "E-Mail kann nie ankommen",
    unsubscribed: "Abgemeldet oder beschwert",
    manual: "Von Hand hinzugefügt",
  },
  source: "Herkunft",
  since: "Seit",
  lastSeen: "Zuletzt verhinderte E-Mail",
  neverSeen: "noch keine",
  remove: "Entfernen",
  removeTitle: (email) => `Wieder E-Mail an ${email} senden?`,
  removeWords: {
    hard_bounce:
      "Der Server sagte, dass E-Mail nie ankommen kann. Gilt das noch, kommt die nächste zurück und schadet deinem Ruf.",
    unsubscribed:
      "Die Person wollte keine E-Mail mehr. Entferne den Eintrag nur, wenn sie darum gebeten hat.",
    manual: "Jemand aus deinem Team hat sie eingetragen.",
  },
  removed: (email) => `E-Mail geht wieder an ${email}.`,
  notPutBack: (email, why) => `${email} steht nicht wieder auf der Liste: ${why}`,
  none: "Niemand ist gesperrt",
  noneWords:
    "Harte Rückläufer und Beschwerden kommen hierher. Du kannst auch Adressen eintragen, die keine E-Mail bekommen dürfen.",
  noMatch: "Keine Adresse passt",
  noMatchWords: "Suche nach der ganzen Adresse oder setze die Filter zurück.",
  addresses: "Adressen, eine je Zeile",
  addressesHint: (most) => `Bis zu ${most}. Vorhandene werden übersprungen.`,
  sourceHint: "Warum, in wenigen Worten: für dein Team.",
  added: (added, skipped) =>
    `${plural(added, "Adresse", "Adressen")} hinzugefügt, ${plural(skipped, "war", "waren")} schon da.`,
  rejected: "Das sind keine Adressen:",
  unverified: "Ungeprüfte Meldungen",
  unverifiedLead:
    "Diese Meldungen beweisen keine E-Mail von dir und haben darum niemanden gesperrt. Lies sie und entscheide.",
  noUnverified: "Keine Meldung wartet auf dich",
  noUnverifiedWords:
    "Hier erscheint eine Meldung, die eine Adresse nennt, aber keine E-Mail beweist, die du gesendet hast.",
  kinds: { bounce: "Rückläufer", complaint: "Beschwerde" },
  words: "Die Antwort des Servers",
  reports: "Meldungen",
  newest: "Neueste",
  chosen: "Auswahl",
  suppress: (count) =>
    count === 0 ? "Gewählte sperren" : `${plural(count, "Adresse", "Adressen")} sperren`,
  chooseOne: "Wähle zuerst eine Adresse.",
  choose: (email) => `${email} wählen`,
  suppressed: (count) => `${plural(count, "Adresse", "Adressen")} gesperrt.`,
  toMail: "die E-Mail",
  back: "Zurück zur Liste",
};
