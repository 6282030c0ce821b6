import type { Translation } from "../../text/define-text.ts";
import type { en } from "./text.en.ts";

export const de: Translation<typeof en> = {
  variables: "Variablen",
  name: (number) => `Name ${number}`,
  value: (number) => `Wert ${number}`,
  twice: "Zwei Variablen heißen so.",
  remove: "Entfernen",
  removeVariable: (name) => `Variable ${name} entfernen`,
  add: "Variable hinzufügen",
  insertVariable: "Variable einfügen",
  variable: "Variable",
  fallback: "Wenn sie leer ist",
  fallbackHint: "Der Text für alle, bei denen sie fehlt.",
  insert: "Einfügen",
};
