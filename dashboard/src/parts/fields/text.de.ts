import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  types: {
    text: "Text",
    number: "Zahl",
    date: "Datum",
    boolean: "Ja oder nein",
    choice: "Eine von mehreren Möglichkeiten",
    list: "Liste",
    url: "Link",
  },
  yes: "Ja",
  no: "Nein",
  notSet: "Nicht angegeben",
  listHint: "Trenne die Einträge mit Kommas.",
  misfits: {
    number: "Das ist keine Zahl.",
    date: "Das ist kein Datum wie 2026-11-22.",
    boolean: "Das ist weder Ja noch Nein.",
  },
  newField: "Neues Feld",
  label: "Name",
  key: "Schlüssel",
  keyHint:
    "Vorlagen und Regeln verwenden ihn, etwa als „metadata.city“. Du kannst ihn später nicht ändern.",
  type: "Art",
  choices: "Möglichkeiten",
  choicesHint: "Eine pro Zeile.",
  saved: "Gespeichert.",
  usedIn: "Wird verwendet in",
  uses: {
    segment: "Segment",
    template: "Vorlage",
    broadcast: "Aussendung",
    automation: "Automation",
  },
  unused: "Kein Segment, keine Vorlage, kein Entwurf und keine Automation verwendet es.",
};
