import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  counted: { opens: "Öffnungen zählen", clicks: "Klicks zählen" },
  asProject: "Wie im Projekt",
  on: "An",
  off: "Aus",
};
