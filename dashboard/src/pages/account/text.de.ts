import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  title: "Konto",
  appearance: "Aussehen",
  theme: "Farben",
  themeNames: { system: "wie das System", light: "hell", dark: "dunkel" },
  language: "Sprache",
};
