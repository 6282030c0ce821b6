/** Folds what `lower()` of SQLite folds: the letters of ASCII. */
export const asciiLower = (text: string) =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the forms in which a text is looked for, as `lower()` of SQLite leaves them. SQLite folds
 * only the letters of ASCII. Other letters are found as they are given, in lower case, in upper
 * case and with a capital at the beginning, composed or decomposed.
 */
export function textForms(text: string): string[] {
  const lower = text.toLowerCase();
  const [first = ""] = lower;
  const capital = first.toUpperCase() + lower.slice(first.length);
  const forms = [text, lower, text.toUpperCase(), capital].flatMap((form) => [
    form,
    form.normalize("NFC"),
    form.normalize("NFD"),
  ]);
  return [...new Set(forms.map(asciiLower))];
}
