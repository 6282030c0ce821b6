/** Writes one structured line to the runtime's log; never pass keys, passwords or message bodies. */
export function logLine(
  level: "info" | "warn" | "error",
  event: string,
  facts: Record<string, string | number | boolean | undefined>,
): void {
  console[level](JSON.stringify({ level, event, ...facts }));
}

/**
 * The words of anything that was thrown, with its causes. A failed statement's own words are left out:
 * drizzle puts the SQL and every parameter into them, and those are people's addresses.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("query" in error && "params" in error && error.cause !== undefined)
    return errorText(error.cause);
  return error.cause === undefined ? error.message : `${error.message}: ${errorText(error.cause)}`;
}
