/** English sentences by their patterns, and what each is in German. */
export type GermanForms = readonly (readonly [RegExp, (...found: string[]) => string])[];

/** Returns a sentence of the service in German; undefined for one without a form. */
export function sayInGerman(forms: GermanForms, sentence: string): string | undefined {
  for (const [pattern, words] of forms) {
    const found = pattern.exec(sentence);
    if (found) return words(...found.slice(1));
  }
  return undefined;
}
