import { refusal } from "../../../errors.ts";
import { isOptOut, plainName, strictest, type ListFormat } from "./list-format.ts";
import { fittingFormats } from "./recognize-format.ts";

/**
 * Wraps the format so that every opt-out of an ambiguous file is kept (API reference §12.11). If
 * the header fits several formats, the strictest interpretation of a row wins. If the user mapped
 * `status`, the other formats contribute only opt-outs. Throws 400 if two columns could be the
 * address, or could mark opt-outs.
 */
export function guardOptOuts(
  format: ListFormat,
  header: readonly string[],
  isStatusMapped: boolean,
): ListFormat {
  const fitting = fittingFormats(header).filter(({ says }) => says !== format.says);
  for (const { email, has, tells = [] } of [format, ...fitting])
    refuseTwins(header, new Set([email, ...has, ...tells]));
  return {
    ...format,
    says: (cell, has) => {
      const others = fitting.map(({ says }) => says(cell, has));
      const counted = isStatusMapped ? others.filter((said) => isOptOut(said)) : others;
      return strictest([format.says(cell, has), ...counted]);
    },
  };
}

function refuseTwins(header: readonly string[], deciding: ReadonlySet<string>): void {
  const seen = new Map<string, string>();
  for (const column of header) {
    const name = plainName(column);
    const twin = seen.get(name);
    if (twin !== undefined && deciding.has(name))
      throw refusal("twin_columns", { one: twin, other: column });
    seen.set(name, column);
  }
}
