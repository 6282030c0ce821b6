import { use } from "react";
import { languageChoice } from "./language.ts";

/** A complete translation of a text file. */
export type Translation<T> = { [K in keyof T]: T[K] extends string ? string : T[K] };

/**
 * Creates the hook that returns the texts of one page area in the user's language. English is
 * bundled with the area; a translation is loaded on demand.
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
