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
  notSet: "nicht angegeben",
  listHint: "Trenne die Einträge mit Kommas.",
  misfits: {
    number: "Das ist keine Zahl.",
    date: "Das ist kein Datum wie 2026-11-22.",
    boolean: "Das ist weder true noch false.",
  },
  newField: "Neues Feld",
  label: "Name",
  key: "Schlüssel in den Daten",
  keyHint:
    "Vorlagen und Bedingungen nennen ihn, etwa „metadata.city“. Er lässt sich später nicht ändern.",
  type: "Art",
  choices: "Möglichkeiten",
  choicesHint: "Eine je Zeile.",
  saved: "Gespeichert.",
  usedIn: "Wird verwendet in",
  uses: { segment: "Segment", template: "Vorlage", broadcast: "Aussendung" },
  unused: "Kein Segment, keine Vorlage und kein Entwurf verwendet es.",
};
