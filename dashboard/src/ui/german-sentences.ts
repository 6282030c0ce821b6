import { sayInGerman, type GermanForms } from "./german-forms.ts";

/** Writes a day such as 2026-01-31 as Germans do. */
export const germanDay = (day: string): string => day.split("-").toReversed().join(".");

/**
 * Returns a text of the service in German, sentence by sentence: `fixed` has those that are always
 * the same, without the full stop. Returns undefined for a text with an unknown sentence.
 */
export function sayAllInGerman(
  text: string,
  fixed: Readonly<Record<string, string>>,
  forms: GermanForms,
): string | undefined {
  const sentences = text.replace(/\.$/, "").split(/\. (?=[A-Z])/);
  const german = sentences.map((one) =>
    Object.hasOwn(fixed, one) ? fixed[one] : sayInGerman(forms, one),
  );
  return german.includes(undefined) ? undefined : `${german.join(". ")}.`;
}
