import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  choose: "Datum wählen",
  earlier: "Vorheriger Monat",
  later: "Nächster Monat",
  time: "Uhrzeit",
};
