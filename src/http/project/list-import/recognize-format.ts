import { invalidField } from "../../../errors.ts";
import { faultOf } from "../../../messages/faults.ts";
import { CONTACT_FORMATS } from "./contact-formats.ts";
import { plainName, type ListFormat } from "./list-format.ts";
import { SUPPRESSION_FORMATS } from "./suppression-formats.ts";

const FORMATS: readonly ListFormat[] = [...CONTACT_FORMATS, ...SUPPRESSION_FORMATS];

export const FORMAT_NAMES = FORMATS.map(({ name }) => name);

/** Returns all formats that match a header. */
export function fittingFormats(header: readonly string[]): ListFormat[] {
  const columns = new Set(header.map(plainName));
  return FORMATS.filter(
    ({ has, isExact }) =>
      has.every((column) => columns.has(column)) && (!isExact || columns.size === has.length),
  );
}

/** Returns the format of a header; undefined if none matches. */
export const recognizeFormat = (header: readonly string[]): ListFormat | undefined =>
  fittingFormats(header)[0];

/** Returns the named format. Throws 400 if the header lacks its columns. */
export function formatNamed(name: string, header: readonly string[]): ListFormat {
  const format = FORMATS.find((one) => one.name === name);
  if (!format)
    throw invalidField("format", faultOf("not_in_list", { values: FORMAT_NAMES.join(", ") }));
  const columns = new Set(header.map(plainName));
  const missing = format.has.filter((column) => !columns.has(column));
  if (missing.length > 0) throw invalidField("format", faultOf("lacks_columns", { name }));
  return format;
}
