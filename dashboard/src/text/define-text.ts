import { use } from "react";
import { languageChoice } from "./language.ts";

/** A translation of a text file: every text of it. */
export type Translation<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

/**
 * Makes the hook that returns the texts of one page area in the reader's language. English comes
 * with the area; a translation is loaded when somebody reads it.
 */
export function defineText<T extends object>(
  english: T,
  loadGerman: () => Promise<{ de: Translation<T> }>,
): () => T {
  let german: Promise<T> | undefined;
  return () => {
    if (languageChoice.use() === "en") return english;
    german ??= loadGerman().then(({ de }) => Object.assign({}, english, de));
    return use(german);
  };
}
