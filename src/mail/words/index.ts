import type { Language } from "../../lib/languages.ts";
import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { PT } from "./pt.ts";
import type { Words } from "./words.ts";

export type { FormWords, Words } from "./words.ts";

const ALL: Record<Language, Words> = { en: EN, de: DE, fr: FR, es: ES, pt: PT };

/** Returns the texts of the pages and mails for subscribers in a language. */
export const wordsOf = (language: Language): Words => ALL[language];

/** Fills names into a text; a placeholder without a value stays as it is. */
export function fillWords(text: string, names: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => names[name] ?? all);
}
