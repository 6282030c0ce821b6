/** Lowercases ASCII letters only, like `lower()` in SQLite. */
export const asciiLower = (text: string) =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Returns the forms to search for a text, as `lower()` in SQLite leaves them. SQLite lowercases
 * only ASCII letters. Other letters are searched as given, in lower case, in upper case and
 * capitalized, composed and decomposed.
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
