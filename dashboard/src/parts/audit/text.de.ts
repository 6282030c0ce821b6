import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Änderungsprotokoll",
  mayNot: "Nur Inhaber und Verwalter dürfen das Änderungsprotokoll lesen.",
  action: "Vorgang",
  actionHint: "Zum Beispiel template.update",
  fromDay: "Ab",
  toDay: "Bis",
  when: "Wann",
  who: "Wer",
  what: "Was",
  target: "Gegenstand",
  from: "Von",
  program: "ein Programm",
  noEntries: "Keine Einträge",
  noEntriesWords: "Noch ist nichts geschehen, oder nichts passt zum Filter.",
};
