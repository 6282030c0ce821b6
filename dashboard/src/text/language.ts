import { storedChoice } from "../lib/stored-choice.ts";

const FROM_BROWSER = navigator.language.startsWith("de") ? "de" : "en";

/** The language of the dashboard. */
export const languageChoice = storedChoice(
  "postrider.language",
  FROM_BROWSER === "de" ? ["de", "en"] : ["en", "de"],
  applyLanguage,
);

export function applyLanguage(): void {
  document.documentElement.lang = languageChoice.read();
}
