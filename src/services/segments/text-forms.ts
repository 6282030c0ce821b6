/** Converts to lower case the letters that `lower()` of SQLite converts: those of ASCII. */
export const asciiLower = (text: string) =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the forms in which to look for a text, as `lower()` of SQLite leaves them. SQLite changes
 * only the letters of ASCII. Other letters are found as given, in lower case, in upper case and
 * with a capital at the beginning, composed or decomposed.
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
