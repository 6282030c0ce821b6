import { formatNumber } from "../../lib/format.ts";
import { languageChoice } from "../../text/language.ts";
import { fits, textOf, type FieldShape } from "./field-values.ts";
import { useFieldsText } from "./use-fields-text.ts";

/** Shows a value of a field in a table. */
export function FieldCell({ field: { type }, value }: { field: FieldShape; value: unknown }) {
  const text = useFieldsText();
  const shown = textOf(value);
  if (shown === "" || !fits(type, shown)) return shown;
  if (type === "number") return formatNumber(Number(shown));
  if (type === "boolean") return shown === "true" ? text.yes : text.no;
  // a day has no time zone
  if (type === "date")
    return new Intl.DateTimeFormat(languageChoice.read(), {
      dateStyle: "medium",
      timeZone: "UTC",
    }).format(new Date(shown.slice(0, 10)));
  return shown;
}
