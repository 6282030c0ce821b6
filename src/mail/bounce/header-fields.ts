/**
 * Header fields, and field groups of the same syntax (RFC 5322 section 2.2, RFC 3464 section 2.1).
 *
 * A hostile sender controls the fields: a value keeps at most 8,000 characters, a group at most 200
 * fields.
 */

/** Fields of one block by lowercase name, each with its values in order. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

/** Maximum length of a value in UTF-16 units, for lists of recipients over many lines. */
const MAX_VALUE_LENGTH = 8000;
const MAX_FIELDS_PER_BLOCK = 200;
const FIELD = /^([A-Za-z0-9-]{1,76})[ \t]*:[ \t]*(.*)$/;

/** Reads the block of fields that starts at `lines[start]` and ends before an empty line. */
export function readFields(lines: readonly string[], start = 0): HeaderFields {
  const fields = new Map<string, string[]>();
  let last: string[] | undefined;
  for (let i = start, count = 0; i < lines.length && count < MAX_FIELDS_PER_BLOCK; i++) {
    const line = lines[i] ?? "";
    if (line.trim() === "") break;
    const match = /^[ \t]/.test(line) ? undefined : FIELD.exec(line.slice(0, MAX_VALUE_LENGTH));
    if (match) {
      last = fields.get((match[1] ?? "").toLowerCase()) ?? [];
      last.push(match[2] ?? "");
      fields.set((match[1] ?? "").toLowerCase(), last);
      count++;
    } else if (last && /^[ \t]/.test(line)) {
      unfold(last, line);
    }
  }
  return fields;
}

/** Returns the first value of a field, or "" if the block has none. */
export const fieldValue = (fields: HeaderFields, name: string) => fields.get(name)?.[0] ?? "";

function unfold(values: string[], line: string): void {
  const value = values[values.length - 1] ?? "";
  if (value.length < MAX_VALUE_LENGTH) {
    values[values.length - 1] = `${value} ${line.trim()}`.slice(0, MAX_VALUE_LENGTH);
  }
}
