const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Derives a key that templates and segments can reference from the name of a column. */
export function keyOf(column: string, place: number): string {
  const name = column.trim().replace(/^data\./, "");
  if (IDENTIFIER.test(name)) return name === name.toUpperCase() ? name.toLowerCase() : name;
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words?.join("_") ?? `column_${place + 1}`;
}

/** Maximum length of one subscriber's metadata as JSON; our own choice. */
export const MOST_METADATA_CHARACTERS = 8_192;
