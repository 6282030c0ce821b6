import { languageChoice } from "./language.ts";

/**
 * Returns a sentence of the service in the reader's language; one that `german` does not know stays
 * as it is. The page must read its own texts, so that it changes with the language.
 */
export const translated = (
  sentence: string,
  german: (sentence: string) => string | undefined,
): string => (languageChoice.read() === "de" ? (german(sentence) ?? sentence) : sentence);
