/**
 * Formats a value as an SQLite literal. Throws for text with NUL, which would truncate the
 * statement.
 */
export function sqlLiteral(value: string | number): string {
  if (typeof value === "number") return String(Math.trunc(value));
  if (value.includes("\0")) throw new Error("text for the database cannot contain NUL");
  return `'${value.replaceAll("'", "''")}'`;
}

/** Builds a statement; every interpolated value becomes a literal. */
export function sql(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts
    .map((text, index) => {
      const value = values[index];
      return value === undefined ? text : text + sqlLiteral(value);
    })
    .join("");
}
