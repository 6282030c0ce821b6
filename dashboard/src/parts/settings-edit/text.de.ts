import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  behind: "Jemand anders hat das inzwischen gespeichert. Deine Änderungen bleiben erhalten.",
  chooseFirst: "Wähle zuerst, welche Version du behältst.",
  keepMine: "Meine behalten",
  leaveTitle: "Ohne Speichern verlassen?",
  leaveWords: "Deine Änderungen auf dieser Seite sind nicht gespeichert.",
  leave: "Verlassen",
  takeTheirs: "Die anderen übernehmen",
};
