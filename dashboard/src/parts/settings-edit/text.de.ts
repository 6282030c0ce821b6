import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  behind: "Jemand anders hat das inzwischen gespeichert. Deine Eingaben sind noch da.",
  chooseFirst: "Wähle zuerst: deine Eingaben oder die gespeicherten.",
  keepMine: "Meine Eingaben behalten",
  leaveTitle: "Ohne Speichern verlassen?",
  leaveWords: "Was du hier eingegeben hast, ist nicht gespeichert.",
  leave: "Verlassen",
  takeTheirs: "Die fremden Eingaben übernehmen",
};
